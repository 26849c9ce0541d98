package netio

import (
	"errors"
	"fmt"
	"time"

	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// clusterSetSlot changes one slot. All loops stand still.
func clusterSetSlot(r *Request) {
	v := r.Loop.view
	if m := v.Member(); m != nil && m.Of != slots.None {
		r.Reply.Error(resp.ErrSetSlotReplica)
		return
	}
	slot, ok := slotAt(r, 2)
	if !ok {
		r.Reply.Error(resp.ErrSlotRange)
		return
	}
	for _, action := range setSlotActions {
		if is(r.At(3), action.word) && r.Len() == action.arguments {
			if e := action.do(r, slot); e != "" {
				r.Reply.Error(e)
			}
			return
		}
	}
	r.Reply.Error(resp.ErrSetSlotAction)
}

// setSlotActions has what CLUSTER SETSLOT does. An action replies itself, or gives
// the error.
var setSlotActions = []struct {
	word      string
	arguments int
	do        func(*Request, uint16) resp.Error
}{
	{"migrating", 5, setSlotMigrating},
	{"importing", 5, setSlotImporting},
	{"stable", 4, setSlotStable},
	{"node", 5, setSlotNode},
}

// setSlotMigrating begins the way of a slot of this node to another.
func setSlotMigrating(r *Request, slot uint16) resp.Error {
	v := r.Loop.view
	if v.Self == slots.None || v.Map.Owner(slot) != v.Self {
		return resp.NotMySlot(slot)
	}
	m, e := r.otherOwner()
	if e != "" {
		return e
	}
	r.decide(func(plane ControlPlane) error { return beginMove(plane, slot, v.Self, m.Number) })
	return ""
}

// setSlotImporting begins the way of a slot to this node. It is the same decision
// as that of MIGRATING on the owner: who comes second has nothing to do.
func setSlotImporting(r *Request, slot uint16) resp.Error {
	v := r.Loop.view
	if v.Self != slots.None && v.Map.Owner(slot) == v.Self {
		return resp.MySlot(slot)
	}
	m, e := r.otherOwner()
	switch {
	case e != "":
		return e
	case v.Self == slots.None:
		return resp.ErrNotFormed
	case v.Map.Owner(slot) != m.Number:
		return resp.NotItsSlot(r.At(4), slot)
	}
	r.decide(func(plane ControlPlane) error { return beginMove(plane, slot, m.Number, v.Self) })
	return ""
}

// otherOwner finds the node on the other side of a migration.
func (r *Request) otherOwner() (*state.Member, resp.Error) {
	switch m := r.member(r.At(4)); {
	case m == nil:
		return nil, resp.NoNode(r.At(4))
	case m.Of != slots.None:
		return nil, resp.ErrTargetNotMaster
	default:
		return m, ""
	}
}

// beginMove begins a migration, if it has not begun yet.
func beginMove(plane ControlPlane, slot uint16, from, to slots.Node) error {
	begun := func() bool {
		s := plane.View().Map.At(slot)
		return s.Owner == from && s.To == to
	}
	v := plane.View()
	m := v.State.Member(to)
	if m == nil || begun() {
		return nil
	}
	err := propose(plane, &state.BeginMigration{
		To: to, Incarnation: m.Stamp.Incarnation, Spans: spansOf(v.Map, []slots.Range{{First: slot, Last: slot}}),
	})
	if err != nil && begun() { // by the other side, meanwhile
		return nil
	}
	return err
}

// setSlotStable ends a migration from or to this node. What was imported is
// dropped.
func setSlotStable(r *Request, slot uint16) resp.Error {
	v := r.Loop.view
	s := v.Map.At(slot)
	if v.Self == slots.None || s.To == slots.None || s.Owner != v.Self && s.To != v.Self {
		r.Reply.OK()
		return ""
	}
	r.decide(func(plane ControlPlane) error {
		err := propose(plane, &state.CancelMigration{Spans: []state.MoveSpan{{Range: slots.Range{First: slot, Last: slot}, Move: s.Move}}})
		if err != nil && plane.View().Map.At(slot).Move != s.Move { // it is over
			return nil
		}
		return err
	})
	return ""
}

// setSlotNode makes a node the owner of a slot. The one that owns it has to hand
// it over: else it would not know that it has lost it.
func setSlotNode(r *Request, slot uint16) resp.Error {
	m, n := r.member(r.At(4)), r.Loop.node
	switch {
	case m == nil:
		return resp.UnknownNode(r.At(4))
	case m.Of != slots.None:
		return resp.ErrTargetNotMaster
	case m.Number == slots.None:
		return resp.ErrNotFormed
	}
	switch s := r.Loop.view.Map.At(slot); {
	case s.Owner == m.Number:
		r.Reply.OK()
	case s.Owner == slots.None:
		r.decide(func(plane ControlPlane) error { return n.assign(plane, slot, m.Number) })
	case s.Owner == r.Loop.view.Self && n.keysIn(slot) > 0:
		return resp.SlotHasKeys(slot)
	case s.Owner == r.Loop.view.Self && s.To != m.Number:
		return resp.NotMigrating(slot, r.At(4))
	case s.Owner == r.Loop.view.Self:
		r.decide(func(plane ControlPlane) error { return n.handOver(slot, s.Move) })
	case m.Number == r.Loop.view.Self && s.To == m.Number:
		r.decide(func(plane ControlPlane) error { return n.takeOver(plane, slot) })
	case m.Number == r.Loop.view.Self:
		return resp.NotMigrating(slot, r.At(4))
	default:
		r.decide(func(plane ControlPlane) error { return learnOwner(plane, slot, m) })
	}
	return ""
}

// assign gives a slot without an owner to a node.
func (n *Node) assign(plane ControlPlane, slot uint16, to slots.Node) error {
	v := plane.View()
	list := []slots.Range{{First: slot, Last: slot}}
	m := v.State.Member(to)
	if to == v.Self || m == nil {
		return n.addSlots(plane, list)
	}
	return propose(plane, &state.Assign{How: state.Claim, To: to, Incarnation: m.Stamp.Incarnation, Spans: spansOf(v.Map, list)})
}

// handOver gives a slot to the destination of its migration. This node stops to
// serve it before it asks the cluster, and until it is known what that decided.
// What keys are left here are dropped then.
func (n *Node) handOver(slot uint16, move uint64) error {
	list := []slots.Range{{First: slot, Last: slot}}
	if _, ok := n.withhold(list); !ok {
		return resp.Undecided(fmt.Sprintf("Slot %d is being given up", slot))
	}
	err := n.plane.Flip(slot, move, clusterPatience)
	if !errors.Is(err, raftlog.ErrClosed) { // the node ends, and nobody knows
		n.serveAgain(list)
	}
	return err
}

// takeOver makes this node the owner of a slot that migrates to it: the owner hands
// it over, or it is taken from one that is certain to have no lease any more.
func (n *Node) takeOver(plane ControlPlane, slot uint16) error {
	v := plane.View()
	s := v.Map.At(slot)
	owner, self := v.State.Member(s.Owner), v.Member()
	if owner == nil || self == nil || v.Lively(s.Owner, n.world.Clock.Boot()) {
		return plane.Yield(slot, s.Move, clusterPatience)
	}
	return propose(plane, &state.Assign{
		How: state.Force, To: v.Self, Incarnation: self.Stamp.Incarnation, From: owner.Number,
		Waited: max(owner.Renew.Index, owner.Former), Spans: spansOf(v.Map, []slots.Range{{First: slot, Last: slot}}),
	})
}

// learnOwner waits until this node knows that a node owns a slot, which was decided
// by others.
func learnOwner(plane ControlPlane, slot uint16, m *state.Member) error {
	if plane.Await(func(v *raftlog.View) bool { return v.Map.Owner(slot) == m.Number }, learnTime) {
		return nil
	}
	return resp.NotMigrating(slot, []byte(m.ID.String()))
}

// learnTime is how long a decision may take to be known on all nodes that run.
const learnTime = time.Second
