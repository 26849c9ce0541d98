package state

import (
	"errors"
	"fmt"
	"math"

	"github.com/elares/ironcache/slots"
)

// snapshotVersion stands at the head of every snapshot.
const snapshotVersion = 2

// Snapshot encodes all of the state. Equal states have equal snapshots. The
// bytes carry no checksum; what stores them does.
func (s *State) Snapshot() []byte {
	copied := *s
	c := &coder{bytes: []byte{snapshotVersion}}
	copied.code(c)
	if c.err != nil { // a state holds nothing that cannot be written
		panic("state: snapshot: " + c.err.Error())
	}
	return c.bytes
}

// ErrTooOld says that a snapshot is of what this program cannot follow: a node that
// runs it must stop.
var ErrTooOld = errors.New("a later version of the program is needed")

// Restore replaces all of the state by that of a snapshot; nothing of what was
// there stays. A snapshot with an error changes nothing.
func (s *State) Restore(snapshot []byte) error {
	if len(snapshot) == 0 {
		return errors.New("state: restore: the snapshot is empty")
	}
	if v := snapshot[0]; v != snapshotVersion {
		return fmt.Errorf("state: restore: the snapshot has version %d, and %d is known", v, snapshotVersion)
	}
	restored := State{}
	c := &coder{reading: true, bytes: snapshot[1:]}
	restored.code(c)
	if err := c.end(); err != nil {
		return fmt.Errorf("state: restore: %w", err)
	}
	if restored.version > NewestVersion {
		return fmt.Errorf("state: restore: the snapshot has what entries of version %d decided, and this program understands %d: %w",
			restored.version, NewestVersion, ErrTooOld)
	}
	if err := restored.audit(); err != nil {
		return fmt.Errorf("state: restore: %w", err)
	}
	*s = restored
	return nil
}

// code codes every field of a State.
func (s *State) code(c *coder) {
	any64(c, "the last entry's index", &s.changed)
	number(c, "the version of entries", &s.version, 0, math.MaxUint8)
	formed := uint8(0)
	if s.formed {
		formed = 1
	}
	number(c, "whether the cluster is formed", &formed, 0, 1)
	s.formed = formed == 1
	c.raw("the id of the cluster", s.cluster[:])
	number(c, "the numbers given", &s.numbers, 0, math.MaxUint32)
	any64(c, "the shards given", &s.shards)
	any64(c, "the term of a barrier", &s.barrier.Term)
	any64(c, "the index of a barrier", &s.barrier.Index)
	maybeNode(c, "the leader of a barrier", &s.barrier.Leader)
	list(c, "members", &s.members, 0, MaxMembers, func(c *coder, m **Member) {
		copied := Member{}
		if !c.reading { // copies of the state share the list: others may read it now
			copied = **m
			copied.code(c)
			return
		}
		copied.code(c)
		*m = &copied
	})
	if c.reading {
		s.slots = readSlots(c)
	} else {
		writeSlots(c, s.Map())
	}
}

// run is neighbours that are equal in all respects, by their last slot.
type run struct {
	last uint16
	slot slots.Slot
}

func (r *run) code(c *coder, first int) {
	s := &r.slot
	number(c, "the last slot of a run", &r.last, uint64(first), slots.Count-1)
	any64(c, "an epoch", &s.Epoch)
	if s.Epoch == 0 {
		return // nothing was ever said of these slots
	}
	maybeNode(c, "an owner", &s.Owner)
	number(c, "a standing", &s.Standing, 0, uint64(slots.Orphaned))
	maybeNode(c, "a destination", &s.To)
	any64(c, "a migration", &s.Move)
	any64(c, "the migration by which the owner came", &s.Via)
	any64(c, "the end of a migration", &s.Cut)
	set := slots.Set{}
	if !c.reading {
		set = *s.Set
	}
	any64(c, "a version", &set.Version)
	list(c, "in-sync members", &set.Members, 0, MaxInSync, func(c *coder, n *slots.Node) { node(c, "a node", n) })
	s.Set = &set
}

func writeSlots(c *coder, m *slots.Map) {
	for r, slot := range m.Runs() {
		item := run{last: r.Last, slot: slot}
		item.code(c, int(r.First))
	}
}

func readSlots(c *coder) *slots.Map {
	edit, before := slots.NewMap().Edit(), run{}
	for first := 0; first < slots.Count && c.err == nil; {
		var item run
		if item.code(c, first); c.err != nil {
			break
		}
		if first > 0 && item.slot.Equal(&before.slot) {
			c.fail("the runs before and after slot %d are one", first)
		}
		for slot := first; slot <= int(item.last); slot++ {
			edit.Put(uint16(slot), item.slot)
		}
		first, before = int(item.last)+1, item
	}
	return edit.Map()
}
