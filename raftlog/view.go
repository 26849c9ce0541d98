package raftlog

import (
	"slices"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// View is what a node knows of its cluster. A published View never changes.
type View struct {
	State state.State
	Map   *slots.Map
	// Self is the node's own number, None while it is no member.
	Self slots.Node
	// Index is the Raft index of the last entry that was applied.
	Index uint64
	// Until is when the node's lease ends, by its own Boot clock; 0: it has
	// none. What a slot's owner answers counts only if the clock, read after
	// the command ran, is below the Until of a View whose Map is that by which
	// it ran, or that says the same of the slot.
	Until int64
	// Claims are the slots that the node keeps while it is in no cluster.
	Claims []slots.Range

	cut   map[uint16]int64 // when this node learnt of a slot's Cut, while that matters
	heard []int64          // of each member: see Heard
	wait  int64            // how long after that a member's lease may hold
	fixed bool             // the cluster never changes, and nobody is heard of
	gone  []gone           // who were members
}

// Next is what a node with an id knows when it has a State, of which it learnt at a
// reading of its Boot clock. It has no lease.
func (v *View) Next(s state.State, id state.ID, index uint64, lease slots.Lease, now int64) *View {
	next := &View{State: s, Map: s.Map(), Index: max(index, v.Index), wait: lease.Wait()}
	if m := s.ByID(id); m != nil {
		next.Self = m.Number
	}
	next.noteCuts(v, now)
	next.noteGone(v, now)
	return next
}

// Heard is when this node applied the last renewal of a member's lease, or a later
// start of it, or first heard of the member, by its own Boot clock. To a node that
// was started all that seems to be now.
func (v *View) Heard(n slots.Node) (at int64, ok bool) {
	for i, m := range v.State.Members() {
		if m.Number == n && i < len(v.heard) {
			return v.heard[i], true
		}
	}
	return 0, false
}

// Lively tells whether a member was heard of so lately that its lease may hold at
// a reading of this node's Boot clock. In a static cluster all members are taken
// for that.
func (v *View) Lively(n slots.Node, now int64) bool {
	at, ok := v.Heard(n)
	return v.fixed || ok && now-at < v.wait
}

// Settled tells whether whoever a slot migrated to has stopped to answer for it,
// at a reading of this node's Boot clock, since the migration was cut off. Until
// then a key that the owner does not have may still be answered for elsewhere.
func (v *View) Settled(slot uint16, now int64) bool {
	at, ok := v.cut[slot]
	return !ok || now-at >= v.wait
}

// noteCuts gives the cuts that are to be waited out: those of a view before that
// are not over, and those that the map has since.
func (v *View) noteCuts(before *View, now int64) {
	changed := v.Map.Changed(before.Map)
	if len(before.cut) == 0 && len(changed) == 0 {
		return
	}
	v.cut = map[uint16]int64{}
	for slot, at := range before.cut {
		if now-at < v.wait {
			v.cut[slot] = at
		}
	}
	for _, r := range changed {
		for i := int(r.First); i <= int(r.Last); i++ {
			if slot := uint16(i); v.Map.At(slot).Cut != before.Map.At(slot).Cut {
				v.cut[slot] = now
			}
		}
	}
}

// Covered tells whether every slot has an owner that may serve it.
func (v *View) Covered() bool {
	return len(v.Map.Where(func(s *slots.Slot) bool { return s.Owner == slots.None || s.Standing != slots.Served })) == 0
}

// Owners lists the members that own slots, ascending.
func (v *View) Owners() (list []slots.Node) {
	for _, n := range v.Map.Owners() {
		list = append(list, n)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Holds tells whether the node may answer for what it owns, at a reading of
// its Boot clock.
func (v *View) Holds(now int64) bool { return now < v.Until }

// Member gives the node's own record, nil while it is no member.
func (v *View) Member() *state.Member { return v.State.Member(v.Self) }
