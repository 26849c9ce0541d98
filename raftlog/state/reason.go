package state

import "fmt"

// Reason says why an entry was refused.
type Reason uint8

// Reasons. Accepted is none.
const (
	Accepted Reason = iota
	UnknownVersion
	UnknownKind
	Malformed
	NotFormed
	AlreadyFormed
	TooManyMembers
	UnknownNode
	KnownNode
	AddressTaken
	VersionTooLow
	StaleIncarnation
	StaleSequence
	StaleTerm
	StaleEpoch
	StaleVersion
	StaleMove
	LeaseRunning
	UnknownRenewal
	SlotOwned
	SlotUnowned
	NotTheOwner
	NotServed
	StillServed
	NotInSync
	AlreadyInSync
	TooManyInSync
	IsReplica
	NotItsReplica
	ReplicatesItself
	OwnsSlots
	ImportsSlots
	HoldsSyncs
	HasReplicas
	LastVoter
	NothingToDo
	Migrating
	AlreadyThere
	reasons
)

// reasonNames has a name for each Reason, as logs and metrics show it.
var reasonNames = [reasons]string{
	Accepted:         "accepted",
	UnknownVersion:   "unknown-version",
	UnknownKind:      "unknown-kind",
	Malformed:        "malformed",
	NotFormed:        "not-formed",
	AlreadyFormed:    "already-formed",
	TooManyMembers:   "too-many-members",
	UnknownNode:      "unknown-node",
	KnownNode:        "known-node",
	AddressTaken:     "address-taken",
	VersionTooLow:    "version-too-low",
	StaleIncarnation: "stale-incarnation",
	StaleSequence:    "stale-sequence",
	StaleTerm:        "stale-term",
	StaleEpoch:       "stale-epoch",
	StaleVersion:     "stale-version",
	StaleMove:        "stale-move",
	LeaseRunning:     "lease-running",
	UnknownRenewal:   "unknown-renewal",
	SlotOwned:        "slot-owned",
	SlotUnowned:      "slot-unowned",
	NotTheOwner:      "not-the-owner",
	NotServed:        "not-served",
	StillServed:      "still-served",
	NotInSync:        "not-in-sync",
	AlreadyInSync:    "already-in-sync",
	TooManyInSync:    "too-many-in-sync",
	IsReplica:        "is-replica",
	NotItsReplica:    "not-its-replica",
	ReplicatesItself: "replicates-itself",
	OwnsSlots:        "owns-slots",
	ImportsSlots:     "imports-slots",
	HoldsSyncs:       "holds-syncs",
	HasReplicas:      "has-replicas",
	LastVoter:        "last-voter",
	NothingToDo:      "nothing-to-do",
	Migrating:        "migrating",
	AlreadyThere:     "already-there",
}

// String names the reason; one that a newer node sent is a number.
func (r Reason) String() string {
	if r < reasons {
		return reasonNames[r]
	}
	return fmt.Sprintf("reason-%d", uint8(r))
}

// Outcome is what became of an entry. The zero Outcome is that of an accepted
// one. All nodes come to the same.
type Outcome struct {
	Reason   Reason
	Sentence string // for the one who asked; empty when accepted
}

// Refused tells whether the entry changed nothing.
func (o Outcome) Refused() bool { return o.Reason != Accepted }

// String is the reason with its sentence.
func (o Outcome) String() string {
	if !o.Refused() {
		return o.Reason.String()
	}
	return o.Reason.String() + ": " + o.Sentence
}

func refuse(why Reason, format string, args ...any) Outcome {
	return Outcome{why, fmt.Sprintf(format, args...)}
}
