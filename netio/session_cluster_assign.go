package netio

import (
	"errors"
	"fmt"
	"slices"

	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// clusterAddSlots makes this node the owner of slots that have none.
func clusterAddSlots(r *Request) { r.changeSlots(oneByOne, true) }

func clusterAddSlotsRange(r *Request) { r.changeSlots(byRange, true) }

// clusterDelSlots leaves slots without an owner.
func clusterDelSlots(r *Request) { r.changeSlots(oneByOne, false) }

func clusterDelSlotsRange(r *Request) { r.changeSlots(byRange, false) }

// changeSlots gives the slots that a request names to this node, or takes them
// from their owners.
func (r *Request) changeSlots(read func(*Request) ([]slots.Range, resp.Error), add bool) {
	named, e := read(r)
	if e == "" {
		e = r.mayChange(named, add)
	}
	if e != "" {
		r.Reply.Error(e)
		return
	}
	n, list := r.Loop.node, slots.Compact(named)
	r.decide(func(plane ControlPlane) error {
		if add {
			return n.addSlots(plane, list)
		}
		return n.dropSlots(plane, list)
	})
}

// oneByOne reads slots, each of them an argument.
func oneByOne(r *Request) (list []slots.Range, e resp.Error) {
	for i := 2; i < r.Len(); i++ {
		slot, ok := slotAt(r, i)
		if !ok {
			return nil, resp.ErrSlotRange
		}
		list = append(list, slots.Range{First: slot, Last: slot})
	}
	return list, ""
}

// byRange reads ranges of slots, each of them two arguments.
func byRange(r *Request) (list []slots.Range, e resp.Error) {
	if r.Len()%2 != 0 {
		return nil, resp.WrongArity(r.Row.Name)
	}
	for i := 2; i < r.Len(); i += 2 {
		first, ok := slotAt(r, i)
		last, okToo := slotAt(r, i+1)
		switch {
		case !ok || !okToo:
			return nil, resp.ErrSlotRange
		case first > last:
			return nil, resp.SlotsBackwards(first, last)
		}
		list = append(list, slots.Range{First: first, Last: last})
	}
	return list, ""
}

func slotAt(r *Request, i int) (uint16, bool) {
	n, ok := resp.ParseInt(r.At(i))
	return uint16(n), ok && n >= 0 && n < slots.Count
}

// mayChange looks through named slots as Redis does: which of them cannot be
// added or taken.
func (r *Request) mayChange(named []slots.Range, add bool) resp.Error {
	v := r.Loop.view
	var seen [slots.Count]bool
	for _, span := range named {
		for i := int(span.First); i <= int(span.Last); i++ {
			slot := uint16(i)
			switch has := v.Map.Owner(slot) != slots.None || holds(v.Claims, slot); {
			case add && has:
				return resp.SlotBusy(slot)
			case !add && !has:
				return resp.SlotUnassigned(slot)
			case seen[slot]:
				return resp.SlotTwice(slot)
			}
			seen[slot] = true
		}
	}
	return ""
}

func holds(list []slots.Range, slot uint16) bool {
	return slices.ContainsFunc(list, func(r slots.Range) bool { return r.First <= slot && slot <= r.Last })
}

// addSlots has slots without an owner assigned to this node. A node in no
// cluster claims them, and once it claims all it is a cluster of its own.
func (n *Node) addSlots(plane ControlPlane, list []slots.Range) error {
	v := plane.View()
	if m := v.Member(); m != nil {
		return propose(plane, &state.Assign{
			How: state.Claim, To: m.Number, Incarnation: m.Stamp.Incarnation, Spans: spansOf(v.Map, list),
		})
	}
	if err := plane.Claim(list); err != nil {
		return err
	}
	if claims := plane.View().Claims; len(claims) == 1 && claims[0] == slots.All {
		return plane.FormAlone()
	}
	return nil
}

// spansOf names slots with what a map says of each.
func spansOf(m *slots.Map, list []slots.Range) (spans []state.Span) {
	for _, r := range list {
		for i := int(r.First); i <= int(r.Last); i++ {
			slot := uint16(i)
			epoch := m.Epoch(slot)
			if n := len(spans); n > 0 && spans[n-1].Epoch == epoch && spans[n-1].Last+1 == slot {
				spans[n-1].Last = slot
				continue
			}
			spans = append(spans, state.Span{Range: slots.Range{First: slot, Last: slot}, Epoch: epoch})
		}
	}
	return spans
}

// dropSlots leaves slots without an owner. This node gives its own up; those of
// another are taken once that is certain to have no lease any more. If one of them
// cannot be taken none is given up.
func (n *Node) dropSlots(plane ControlPlane, list []slots.Range) error {
	v := plane.View()
	if v.Self == slots.None {
		return plane.Unclaim(list)
	}
	now := n.world.Clock.Boot()
	for _, m := range v.State.Members() {
		if part := owned(v.Map, list, m.Number); len(part) > 0 && m.Number != v.Self && v.Lively(m.Number, now) {
			return resp.Undecided(fmt.Sprintf("Slot %d is owned by %v, which is alive and has to give it up itself", part[0].First, m))
		}
	}
	for _, m := range v.State.Members() {
		part := owned(v.Map, list, m.Number)
		var err error
		switch {
		case len(part) == 0:
		case m.Number == v.Self:
			err = n.giveUp(plane, part)
		default:
			err = unassign(plane, v, m.Number, part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// owned lists the slots of a list that a node owns.
func owned(m *slots.Map, list []slots.Range, n slots.Node) []slots.Range {
	return within(m, list, func(s slots.Slot) bool { return s.Owner == n })
}

// within lists the slots of a list that a test holds for.
func within(m *slots.Map, list []slots.Range, holds func(slots.Slot) bool) (part []slots.Range) {
	for _, r := range list {
		for i := int(r.First); i <= int(r.Last); i++ {
			if holds(m.At(uint16(i))) {
				part = append(part, slots.Range{First: uint16(i), Last: uint16(i)})
			}
		}
	}
	return slots.Compact(part)
}

// unassign takes slots from an owner who holds no lease on them, or none that
// was renewed since a View in which it was not heard of any more.
func unassign(plane ControlPlane, v *raftlog.View, from slots.Node, list []slots.Range) error {
	m := v.State.Member(from)
	if m == nil {
		return raftlog.ErrUnknown
	}
	return propose(plane, &state.Unassign{
		From: from, Waited: max(m.Renew.Index, m.Former), Spans: spansOf(v.Map, list),
	})
}

// giveUp has this node stop to serve slots of its own and leaves them without an
// owner. They are withheld from before the cluster is asked until it is known
// what it decided. A node that was started anew waits until its slots are given back
// to it: its former process may have a lease on them.
func (n *Node) giveUp(plane ControlPlane, list []slots.Range) error {
	for range givenBack {
		if outcome, err := n.tryGiveUp(plane, list); outcome.Reason != state.StaleEpoch {
			return err
		}
	}
	_, err := n.tryGiveUp(plane, list)
	return err
}

// givenBack is how often slots may be taken for orphans and given back by another epoch while
// they are given up, before the client is told.
const givenBack = 3

// tryGiveUp does so once, and gives the outcome of the release as well.
func (n *Node) tryGiveUp(plane ControlPlane, list []slots.Range) (outcome state.Outcome, err error) {
	back := func(v *raftlog.View) bool {
		return len(within(v.Map, list, func(s slots.Slot) bool { return s.Owner == v.Self && s.Standing == slots.Orphaned })) == 0
	}
	if !plane.Await(back, clusterPatience) {
		return outcome, resp.Undecided(fmt.Sprintf("Slot %d is not given back yet to this node, which was started anew", list[0].First))
	}
	if slot, ok := n.withhold(list); !ok {
		return outcome, resp.Undecided(fmt.Sprintf("Slot %d is being given up", slot))
	}
	v := plane.View()
	serving := within(v.Map, list, func(s slots.Slot) bool { return s.Owner == v.Self && s.Standing == slots.Served })
	if len(serving) > 0 {
		outcome, err = plane.Release(spansOf(v.Map, serving), clusterPatience)
		if err = refusal(outcome, err); errors.Is(err, raftlog.ErrClosed) {
			return outcome, err // the node ends, and nobody knows
		}
		if err != nil {
			n.serveAgain(list)
			return outcome, err
		}
	}
	err = unassign(plane, plane.View(), v.Self, list)
	n.serveAgain(list) // by now the map says that they are not served
	return outcome, err
}

// withhold stops to serve slots: what ran before and was not answered yet will
// not be. It fails, and names a slot, if one is withheld already.
func (n *Node) withhold(list []slots.Range) (busy uint16, ok bool) {
	n.withholding.Add(1)
	for i, r := range list {
		for at := int(r.First); at <= int(r.Last); at++ {
			slot, bit := uint16(at), uint64(1)<<(at%64)
			if n.withheld[at/64].Or(bit)&bit == 0 {
				continue
			}
			done := append(slices.Clone(list[:i]), slots.Range{First: r.First, Last: slot - 1})
			if slot == r.First {
				done = done[:i]
			}
			n.serveAgain(done)
			return slot, false
		}
	}
	return 0, true
}

// serveAgain ends a withhold.
func (n *Node) serveAgain(list []slots.Range) {
	for _, r := range list {
		for at := int(r.First); at <= int(r.Last); at++ {
			n.withheld[at/64].And(^(uint64(1) << (at % 64)))
		}
	}
	n.withholding.Add(-1)
}

// withholds tells whether a slot is withheld.
func (n *Node) withholds(slot uint16) bool {
	return n.withholding.Load() != 0 && n.withheld[slot/64].Load()>>(slot%64)&1 != 0
}

// clusterFlushSlots gives up all slots of this node. All loops stand still.
func clusterFlushSlots(r *Request) {
	n := r.Loop.node
	if n.keys() != 0 {
		r.Reply.Error(resp.ErrFlushSlotsKeys)
		return
	}
	r.decide(func(plane ControlPlane) error {
		v := plane.View()
		list := v.Claims
		if v.Self != slots.None {
			list = v.Map.OwnedBy(v.Self)
		}
		if len(list) == 0 {
			return nil
		}
		return n.dropSlots(plane, list)
	})
}
