package raftlog

import (
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
}

// Holds tells whether the node may answer for what it owns, at a reading of
// its Boot clock.
func (v *View) Holds(now int64) bool { return now < v.Until }

// Serves tells whether the node may answer for a slot at a reading of its Boot
// clock.
func (v *View) Serves(slot uint16, now int64) bool {
	return v.Self != slots.None && v.Holds(now) && v.Map.ServedBy(slot, v.Self)
}

// Member gives the node's own record, nil while it is no member.
func (v *View) Member() *state.Member { return v.State.Member(v.Self) }
