package state

import (
	"fmt"

	"github.com/elares/ironcache/sim/invariant"
	"github.com/elares/ironcache/slots"
)

// Limits of what a State holds.
const (
	MaxMembers = 1024
	MaxInSync  = 16      // members of an in-sync set
	MaxEntry   = 1 << 20 // bytes of an encoded entry
)

// State is what the log has decided. The zero State is that of an empty log. A
// copy of a State stays as it is while the original goes on, and may be read
// from any thread.
type State struct {
	changed uint64     // Raft index of the last accepted entry
	version uint8      // highest version of an accepted entry
	formed  bool       // never false again
	cluster ID         // of the node that formed it: each forms one at most
	numbers slots.Node // given so far
	shards  uint64     // given so far
	barrier Mark
	members []*Member  // ascending by number; neither it nor a Member is written to
	slots   *slots.Map // nil: that of NewMap
}

// Mark is what a Barrier leaves behind.
type Mark struct {
	Term   uint64
	Index  uint64 // Raft index of the Barrier
	Leader slots.Node
}

// Apply takes the entry at an index of the log, and tells what became of it.
// Indices rise from call to call. A refused entry changes nothing.
//
// An error means that this program cannot follow the log any further: every
// member has said that it understands such an entry, and this program does not.
// The node must stop then, since to go on would be to disagree.
func (s *State) Apply(index uint64, data []byte) (Outcome, error) {
	invariant.Check(index > s.changed, "log entries are applied in their order, each once")
	if agreed := s.Version(); len(data) >= headSize && data[0] > agreed {
		return refuse(UnknownVersion, "the entry has version %d, and members understand %d", data[0], agreed), nil
	} else if len(data) >= headSize && data[0] > NewestVersion {
		return Outcome{}, fmt.Errorf("state: apply entry %d: it has version %d, and this program understands %d",
			index, data[0], NewestVersion)
	}
	entry, outcome := read(data)
	if outcome.Refused() {
		return outcome, nil
	}
	if outcome = s.admit(entry); outcome.Refused() {
		return outcome, nil
	}
	d := newDraft(s, index)
	if outcome = entry.apply(d); outcome.Refused() {
		return outcome, nil
	}
	before := *s
	*s = d.done(data[0])
	if invariant.Deep {
		s.check(&before)
	}
	return outcome, nil
}

// admit refuses what comes before the cluster was formed.
func (s *State) admit(e Entry) Outcome {
	if _, forms := e.(*Form); !forms && !s.formed {
		return refuse(NotFormed, "the cluster is not formed yet")
	}
	return Outcome{}
}

// Formed tells whether the cluster was formed.
func (s *State) Formed() bool { return s.formed }

// Cluster tells the cluster from all others: it is the id of the node that formed
// it, zero before.
func (s *State) Cluster() ID { return s.cluster }

// Changed is the Raft index of the last accepted entry, 0 if there is none.
func (s *State) Changed() uint64 { return s.changed }

// Barrier is the last new leader's.
func (s *State) Barrier() Mark { return s.barrier }

// Map says who owns which slot. States before and after an entry share the
// pages that it did not touch.
func (s *State) Map() *slots.Map {
	if s.slots == nil {
		return slots.NewMap()
	}
	return s.slots
}

// Members lists the roster by ascending number. It is not to be written to.
func (s *State) Members() []*Member { return s.members }

// Member finds a member, nil if there is none of that number.
func (s *State) Member(n slots.Node) *Member {
	if at, found := find(s.members, n); found {
		return s.members[at]
	}
	return nil
}

// Removed tells whether a number was given to a node that is no member by it any more.
// What it tells of a number stays true: it is never given again.
func (s *State) Removed(n slots.Node) bool {
	return n != slots.None && n <= s.numbers && s.Member(n) == nil
}

// ByID finds a member, nil if there is none with that id.
func (s *State) ByID(id ID) *Member {
	for _, m := range s.members {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// Version is the highest version of entries that every member understands.
// Entries above it are refused on every node, so that a rolling upgrade never
// makes nodes disagree.
func (s *State) Version() uint8 {
	if len(s.members) == 0 {
		return firstVersion
	}
	least := s.members[0].Speaks
	for _, m := range s.members {
		least = min(least, m.Speaks)
	}
	return least
}

// backing is the Raft index of the last Renew that may still back a process
// which serves a slot, 0 if there is none and the slot can be given away at
// once. Otherwise the leader waits Lease.Wait from its own apply of that Renew,
// or of its own first Barrier if that is later, and names the index as Waited.
func (s *State) backing(slot *slots.Slot) uint64 {
	m := s.Member(slot.Owner)
	if m == nil {
		return 0
	}
	switch slot.Standing {
	case slots.Released:
		return 0
	case slots.Orphaned:
		return m.Former
	}
	return m.Renew.Index
}
