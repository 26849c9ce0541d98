package play

import (
	"bytes"
	"math"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/sim/wasm"
	"github.com/elares/ironcache/slots"
)

// Where a slot is moved, what becomes of its keys does not follow from what nodes it
// began on. It is taken from what the cluster decided, from who answered for the
// slot, and from what the movers did.

// ownership is who owns which slot, as the log has it. Entries count from when the
// first node applied them.
type ownership struct {
	state  state.State
	spoken uint8 // the highest version of an entry that was accepted, see understood
	index  uint64
	losses []fault.Loss
	given  map[judge.Right]bool
	stale  int64 // see staleTime
}

// take takes an entry that a node applied.
func (o *ownership) take(a wasm.Applying) {
	if a.Index <= o.index {
		return
	}
	before := o.state.Map()
	o.index = a.Index
	text := o.understood(a.Text)
	entry, _ := state.Decode(text)
	if speaks(entry) < o.spoken {
		return // the nodes refuse it
	}
	outcome, err := o.state.Apply(a.Index, text)
	if err != nil {
		return // a judge of the nodes that followed it has more to say
	}
	if !outcome.Refused() && len(a.Text) > 0 {
		o.spoken = max(o.spoken, a.Text[0])
	}
	after := o.state.Map()
	_, flips := entry.(*state.Flip)
	for _, r := range after.Changed(before) {
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			was, is := before.At(uint16(slot)), after.At(uint16(slot))
			o.lose(uint16(slot), a.At, &was, &is)
			o.give(uint16(slot), flips, &was, &is)
		}
	}
}

// understood gives an entry as this program knows it. Nodes of a later version write
// entries of one version more when all members understand them, and what these say
// of slots is the same.
func (o *ownership) understood(text []byte) []byte {
	if len(text) == 0 || text[0] <= state.NewestVersion || text[0] > o.state.Version() {
		return text
	}
	text = bytes.Clone(text)
	text[0] = state.NewestVersion
	return text
}

// speaks is the version up to which the node understands entries that an entry is about.
func speaks(entry state.Entry) uint8 {
	switch e := entry.(type) {
	case *state.Announce:
		return e.Speaks
	case *state.Join:
		return e.Speaks
	}
	return math.MaxUint8
}

// staleTime is how long, in nanoseconds, the destination of a migration that was cut
// off may answer under an old view: until it has no lease any more, and a little.
func staleTime(l slots.Lease) int64 {
	return l.Wait() + l.Wait()/million*l.Drift*2 + 190*million
}

// lose notes when a slot's keys are lost: when it has another owner, or the same one
// anew, that did not import them, and when what was imported is dropped.
func (o *ownership) lose(slot uint16, at int64, was, is *slots.Slot) {
	if is.Epoch != was.Epoch && (is.Via == 0 || is.Via != was.Move) {
		o.losses = append(o.losses, fault.Loss{First: slot, Last: slot, From: at, To: at, Why: "a slot has another owner"})
	}
	if is.Cut != was.Cut {
		o.losses = append(o.losses, fault.Loss{First: slot, Last: slot, From: at, To: at + o.stale, Why: "a migration was cut off"})
	}
}

// give notes what was given up: a slot that its owner released or handed over, and
// what was imported once the importer owns it.
func (o *ownership) give(slot uint16, flips bool, was, is *slots.Slot) {
	if is.Epoch == was.Epoch {
		return
	}
	if flips || was.Standing == slots.Released {
		o.given[judge.Right{Slot: slot, Epoch: was.Epoch}] = true
	}
	if was.Move != 0 && is.Via == was.Move {
		o.given[judge.Right{Slot: slot, Epoch: door.Importing | was.Move}] = true
	}
}

// wipe is the end of a node's life.
type wipe struct {
	judge.Life
	from, to int64
}

// movable tells those who move slots what they may move: not those that are asked for
// to see whether a node serves.
func (r *run) movable() {
	s := r.stage
	r.owners.given, r.owners.stale = map[judge.Right]bool{}, staleTime(r.plan.Lease())
	s.Addresses = addresses(r.cluster)[:r.plan.Nodes]
	for i := range r.plan.Nodes {
		s.Fixed[slots.Of([]byte(keyOf(i, r.plan.Nodes)))] = true
	}
	s.Keys = func() []string {
		if r.plan.Jumps() {
			return nil
		}
		return latest(&r.crowd.History)
	}
}

// latest lists the keys of the last operations, the last one first.
func latest(h *linearize.History) (keys []string) {
	seen := map[string]bool{}
	for i := len(h.Operations) - 1; i >= max(0, len(h.Operations)-lately); i-- {
		if key := h.Operations[i].Key; !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}

// lately is how many operations back a key still counts as in use.
const lately = 12

// losses marks when keys of moved slots may have been lost, or an earlier value of
// theirs may have come back.
func (r *run) losses(e *judge.Evidence) {
	h, bySlot := e.History, map[uint16][]string{}
	for _, key := range h.Keys() {
		slot := slots.Of([]byte(key))
		bySlot[slot] = append(bySlot[slot], key)
	}
	mark := func(kind linearize.MarkKind, node, why string, keys []string, from, to int64) {
		if to < 0 {
			to = max(e.Ended, from)
		}
		if len(keys) > 0 {
			h.Marks = append(h.Marks, linearize.Mark{Kind: kind, Node: node, Text: why, Keys: keys, From: from, To: to})
		}
	}
	for _, list := range [][]fault.Loss{r.owners.losses, r.stage.Losses} {
		for _, l := range list {
			for slot := int(l.First); slot <= int(l.Last); slot++ {
				if r.stage.Moved[uint16(slot)] {
					mark(linearize.Loss, "", l.Why, bySlot[uint16(slot)], l.From, l.To)
				}
			}
		}
	}
	for _, c := range r.stage.Copies {
		mark(linearize.Failover, "", "a mover copies a key", []string{c.Key}, c.From, c.To)
	}
	held := holders(e)
	for _, w := range r.wipes {
		for slot := range uint16(slots.Count) {
			if r.stage.Moved[slot] && held[holder{w.Life, slot}] {
				mark(linearize.Loss, nodeName(w.Node), "a node came back without its data", bySlot[slot], w.from, w.to)
			}
		}
	}
}

// holder is a life of a node that answered for a slot.
type holder struct {
	judge.Life
	slot uint16
}

func holders(e *judge.Evidence) map[holder]bool {
	held := map[holder]bool{}
	for _, f := range e.Fences {
		for _, slot := range f.Slots {
			if f.Released {
				held[holder{f.Life, slot}] = true
			}
		}
	}
	return held
}
