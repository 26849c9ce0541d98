package state

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/elares/ironcache/sim/invariant"
	"github.com/elares/ironcache/slots"
)

// check stops the process if an entry made an unsound state, or let something
// fall that only rises.
func (s *State) check(before *State) {
	fault := cmp.Or(s.audit(), s.rises(before))
	invariant.Check(fault == nil, fmt.Sprintf("the state after entry %d is sound: %v", s.changed, fault))
}

// audit tells what in the state cannot be. A snapshot is refused for it.
func (s *State) audit() error {
	return cmp.Or(s.auditGroup(), s.auditMembers(), s.auditSlots())
}

func (s *State) auditGroup() error {
	voters := 0
	for _, m := range s.members {
		voters += int(m.Suffrage)
	}
	switch {
	case s.formed != (voters > 0):
		return fmt.Errorf("state: %d voters, formed: %v", voters, s.formed)
	case len(s.members) > MaxMembers:
		return fmt.Errorf("state: %d members", len(s.members))
	case s.barrier.Index > s.changed:
		return fmt.Errorf("state: a barrier at %d after the last entry at %d", s.barrier.Index, s.changed)
	case s.version > NewestVersion:
		return fmt.Errorf("state: entries of version %d were accepted", s.version)
	}
	return nil
}

func (s *State) auditMembers() error {
	ids, shards := map[ID]bool{}, map[uint64]bool{}
	for i, m := range s.members {
		last := max(m.Renew.Index, m.Former, m.Epoch)
		switch {
		case i > 0 && s.members[i-1].Number >= m.Number:
			return fmt.Errorf("state: member %d comes after member %d", m.Number, s.members[i-1].Number)
		case m.Number == slots.None || m.Number > s.numbers || m.Shard == 0 || m.Shard > s.shards:
			return fmt.Errorf("state: member %d of shard %d: %d and %d were given", m.Number, m.Shard, s.numbers, s.shards)
		case ids[m.ID] || m.Of == slots.None && shards[m.Shard]:
			return fmt.Errorf("state: member %d: its id %v or its shard %d is another's", m.Number, m.ID, m.Shard)
		case m.Renew.Index != 0 && m.Renew.Index <= m.Former || last > s.changed:
			return fmt.Errorf("state: member %d: renewed at %d, before at %d", m.Number, m.Renew.Index, m.Former)
		case m.Speaks < s.version:
			return fmt.Errorf("state: member %d speaks version %d of %d", m.Number, m.Speaks, s.version)
		}
		if err := s.auditRole(m); err != nil {
			return err
		}
		ids[m.ID] = true
		shards[m.Shard] = shards[m.Shard] || m.Of == slots.None
	}
	return nil
}

func (s *State) auditRole(m *Member) error {
	if m.Of == slots.None {
		return nil
	}
	if of := s.Member(m.Of); of == nil || of.Of != slots.None || of.Shard != m.Shard {
		return fmt.Errorf("state: member %d of shard %d is a replica of %d", m.Number, m.Shard, m.Of)
	}
	return nil
}

func (s *State) auditSlots() error {
	for r, slot := range s.Map().Runs() {
		if !s.soundOwner(&slot) || !s.soundMove(&slot) || !s.soundSet(&slot) {
			return fmt.Errorf("state: slots %d to %d are unsound: %+v, set %+v", r.First, r.Last, slot, slot.Set)
		}
	}
	return nil
}

// owner tells whether a number is that of a member which is no replica.
func (s *State) owner(n slots.Node) bool {
	m := s.Member(n)
	return m != nil && m.Of == slots.None
}

func (s *State) soundOwner(slot *slots.Slot) bool {
	if slot.Epoch > s.changed || slot.Cut > s.changed || slot.Via > 0 && slot.Via >= slot.Epoch || slot.Standing > slots.Orphaned {
		return false
	}
	if slot.Owner == slots.None {
		return slot.To == slots.None && slot.Via == 0 && slot.Standing == slots.Served && len(slot.InSync()) == 0
	}
	return slot.Epoch > 0 && s.owner(slot.Owner)
}

func (s *State) soundMove(slot *slots.Slot) bool {
	if slot.To == slots.None {
		return slot.Move == 0
	}
	return slot.To != slot.Owner && s.owner(slot.To) && slot.Epoch < slot.Move && slot.Move <= s.changed
}

func (s *State) soundSet(slot *slots.Slot) bool {
	if slot.Set == nil {
		return slot.Epoch == 0
	}
	if v := slot.Version(); slot.Epoch == 0 || v < slot.Epoch || v > s.changed || len(slot.InSync()) > MaxInSync {
		return false
	}
	last := slots.None
	return !slices.ContainsFunc(slot.InSync(), func(n slots.Node) bool {
		m := s.Member(n)
		wrong := m == nil || m.Of != slot.Owner || n <= last
		last = n
		return wrong
	})
}

// rises tells what fell since an earlier state.
func (s *State) rises(before *State) error {
	if s.numbers < before.numbers || s.shards < before.shards || s.version < before.version ||
		before.formed && !s.formed || s.barrier.Term < before.barrier.Term {
		return fmt.Errorf("state: a count, the version or the term fell")
	}
	for _, r := range s.Map().Changed(before.Map()) {
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			if err := risen(uint16(slot), before.Map().At(uint16(slot)), s.Map().At(uint16(slot))); err != nil {
				return err
			}
		}
	}
	for _, m := range s.members {
		if was := before.Member(m.Number); was != nil && (m.Former < was.Former || m.Stamp.Incarnation < was.Stamp.Incarnation) {
			return fmt.Errorf("state: member %d fell back", m.Number)
		}
	}
	return nil
}

func risen(slot uint16, was, is slots.Slot) error {
	switch {
	case is.Epoch < was.Epoch || is.Version() < was.Version() || is.Cut < was.Cut:
		return fmt.Errorf("state: the epoch or version of slot %d fell: %+v was %+v", slot, is, was)
	case is.Owner != was.Owner && is.Epoch == was.Epoch:
		return fmt.Errorf("state: slot %d has another owner in one epoch: %+v was %+v", slot, is, was)
	case !slices.Equal(is.InSync(), was.InSync()) && is.Version() == was.Version():
		return fmt.Errorf("state: slot %d has another in-sync set of one version", slot)
	case is.Standing == slots.Served && was.Standing != slots.Served && is.Epoch == was.Epoch:
		return fmt.Errorf("state: slot %d is served again in the epoch in which it was given up", slot)
	}
	return nil
}
