package state

import "fmt"

// Kind is the number of a type of entry. Numbers are never given twice.
type Kind uint8

// Kinds of entries.
const (
	KindForm Kind = 1 + iota
	KindJoin
	KindForget
	KindAnnounce
	KindSetRole
	KindSetSuffrage
	KindBumpEpoch
	KindBarrier
	KindRenew
	KindRelease
	KindAssign
	KindUnassign
	KindGrow
	KindShrink
	KindBeginMigration
	KindCancelMigration
	KindFlip
)

// Versions of entries. A version adds kinds, or fields to kinds; its number
// stands at the head of each entry that needs it.
const (
	firstVersion = 1
	// NewestVersion is what this program understands, and a node announces.
	NewestVersion uint8 = 1
)

// Entry is one decision for the log.
type Entry interface {
	code(*coder)
	apply(*draft) Outcome // what it did to the draft counts only when accepted
}

// kindRow is one type of entry.
type kindRow struct {
	kind Kind
	name string
	is   func(Entry) bool
	make func() Entry
}

// kinds lists all types of entries, by ascending kind.
var kinds = []kindRow{
	{KindForm, "form", is[*Form], func() Entry { return new(Form) }},
	{KindJoin, "join", is[*Join], func() Entry { return new(Join) }},
	{KindForget, "forget", is[*Forget], func() Entry { return new(Forget) }},
	{KindAnnounce, "announce", is[*Announce], func() Entry { return new(Announce) }},
	{KindSetRole, "set-role", is[*SetRole], func() Entry { return new(SetRole) }},
	{KindSetSuffrage, "set-suffrage", is[*SetSuffrage], func() Entry { return new(SetSuffrage) }},
	{KindBumpEpoch, "bump-epoch", is[*BumpEpoch], func() Entry { return new(BumpEpoch) }},
	{KindBarrier, "barrier", is[*Barrier], func() Entry { return new(Barrier) }},
	{KindRenew, "renew", is[*Renew], func() Entry { return new(Renew) }},
	{KindRelease, "release", is[*Release], func() Entry { return new(Release) }},
	{KindAssign, "assign", is[*Assign], func() Entry { return new(Assign) }},
	{KindUnassign, "unassign", is[*Unassign], func() Entry { return new(Unassign) }},
	{KindGrow, "grow", is[*Grow], func() Entry { return new(Grow) }},
	{KindShrink, "shrink", is[*Shrink], func() Entry { return new(Shrink) }},
	{KindBeginMigration, "begin-migration", is[*BeginMigration], func() Entry { return new(BeginMigration) }},
	{KindCancelMigration, "cancel-migration", is[*CancelMigration], func() Entry { return new(CancelMigration) }},
	{KindFlip, "flip", is[*Flip], func() Entry { return new(Flip) }},
}

func is[T Entry](e Entry) bool {
	_, ok := e.(T)
	return ok
}

// String names the kind.
func (k Kind) String() string {
	if row := rowOf(k); row != nil {
		return row.name
	}
	return fmt.Sprintf("kind-%d", uint8(k))
}

func rowOf(k Kind) *kindRow {
	if k < kinds[0].kind || int(k-kinds[0].kind) >= len(kinds) {
		return nil
	}
	return &kinds[k-kinds[0].kind]
}

// KindOf tells the kind of an entry.
func KindOf(e Entry) Kind {
	for i := range kinds {
		if kinds[i].is(e) {
			return kinds[i].kind
		}
	}
	return 0
}
