package raftlog

import (
	"slices"
	"time"

	"github.com/elares/ironcache/raftlog/state"
)

// gone is a node that was a member, with when this node heard that it is none any
// more, by its Boot clock.
type gone struct {
	id state.ID
	at int64
}

// remembrance is how long it is known who was a member.
const remembrance = 60 * int64(time.Second)

// Forgotten tells whether a node was a member within the last minute, at a reading of
// this node's Boot clock, and is none any more.
func (v *View) Forgotten(id state.ID, now int64) bool {
	return v.State.ByID(id) == nil && slices.ContainsFunc(v.gone, func(g gone) bool { return g.id == id && now-g.at < remembrance })
}

// noteGone adds the members of the View before this one that are none any more: of one
// entry, or of all that a snapshot stands for.
func (v *View) noteGone(before *View, now int64) {
	var left []gone
	for _, m := range before.State.Members() {
		if v.State.ByID(m.ID) == nil {
			left = append(left, gone{m.ID, now})
		}
	}
	if v.gone = before.gone; len(left) > 0 {
		known := slices.DeleteFunc(slices.Clone(v.gone), func(g gone) bool { return now-g.at >= remembrance })
		v.gone = append(known, left...)
	}
}
