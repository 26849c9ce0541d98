package state

import (
	"math"
	"slices"

	"github.com/elares/ironcache/slots"
)

// How says by what right an Assign gives slots to a node.
type How uint8

// Rights.
const (
	Claim   How = iota // nobody owns the slots
	Promote            // the node is in the in-sync set: no acknowledged write is lost
	Resume             // the node owns the slots and serves them no more
	Force              // somebody decided that the owner's data may be lost
	hows
)

// right is the rule of one How.
type right struct {
	taken bool // From is named: slots are taken from it
	check func(to *Member, slot uint16, s *slots.Slot) Outcome
	keeps bool // the rest of the in-sync set stays
}

// rights has the rule of each How.
var rights = [hows]right{
	Claim:   {check: unowned},
	Promote: {taken: true, check: synced, keeps: true},
	Resume:  {taken: true, check: stopped},
	Force:   {taken: true, check: anyOwner},
}

func unowned(_ *Member, slot uint16, s *slots.Slot) Outcome {
	if s.Owner != slots.None {
		return refuse(SlotOwned, "slot %d is owned by node number %d", slot, s.Owner)
	}
	return Outcome{}
}

func synced(to *Member, slot uint16, s *slots.Slot) Outcome {
	if !s.Has(to.Number) {
		return refuse(NotInSync, "node %v is not in the in-sync set of slot %d", to, slot)
	}
	return Outcome{}
}

func stopped(to *Member, slot uint16, s *slots.Slot) Outcome {
	if s.Standing == slots.Served {
		return refuse(StillServed, "node %v serves slot %d", to, slot)
	}
	return Outcome{}
}

func anyOwner(*Member, uint16, *slots.Slot) Outcome { return Outcome{} }

// Assign gives slots to a node; their epoch becomes the entry's index. It is
// refused when a slot has another epoch than the proposer saw, and when the
// owner's lease was renewed after that Renew which the leader waited out.
//
// The owner's last slots taken by one of its replicas make the owner and its
// other replicas replicas of the new owner.
type Assign struct {
	How         How
	To          slots.Node
	Incarnation uint64     // of To
	From        slots.Node // who owns the slots; None for Claim, To for Resume
	Waited      uint64     // Raft index of the last Renew of From that was waited out; 0: none
	Spans       []Span
}

func (e *Assign) code(c *coder) {
	number(c, "a right", &e.How, 0, uint64(hows-1))
	node(c, "a node", &e.To)
	number(c, "an incarnation", &e.Incarnation, 1, math.MaxUint64)
	maybeNode(c, "an owner", &e.From)
	any64(c, "a renewal", &e.Waited)
	spans(c, &e.Spans)
	if c.err != nil {
		return
	}
	if rights[e.How].taken != (e.From != slots.None) || (e.How == Resume) != (e.From == e.To) || e.From == slots.None && e.Waited != 0 {
		c.fail("its owner %d and its right %d do not fit", e.From, e.How)
	}
}

func (e *Assign) apply(d *draft) Outcome {
	to, o := d.running(e.To, e.Incarnation)
	if o.Refused() {
		return o
	}
	if to.Of != slots.None && to.Of != e.From {
		return refuse(IsReplica, "node %v is a replica of %s", to, d.name(to.Of))
	}
	if o := d.take(e.From, e.Waited, e.Spans, func(slot uint16, s *slots.Slot) Outcome {
		return rights[e.How].check(to, slot, s)
	}); o.Refused() {
		return o
	}
	if to.Of != slots.None {
		d.succeed(to, e.Spans)
	}
	return d.spanned(e.Spans, func(slot uint16, s slots.Slot) Outcome {
		var stay []slots.Node
		if rights[e.How].keeps {
			stay = keep(s.InSync(), func(n slots.Node) bool { return d.Member(n).Of == e.To })
		}
		via := uint64(0)
		if s.To == e.To {
			via = s.Move // it has what it imported
		}
		d.edit.Put(slot, slots.Slot{Epoch: d.index, Owner: e.To, Via: via, Cut: d.cut(&s, e.To), Set: d.inSync(stay)})
		return Outcome{}
	})
}

// take refuses slots that cannot be taken: those of another epoch or owner, those
// that a lease may still back, and those that the caller refuses.
func (d *draft) take(from slots.Node, waited uint64, list []Span, check func(uint16, *slots.Slot) Outcome) Outcome {
	var owner *Member
	if from != slots.None {
		var o Outcome
		if owner, o = d.known(from); o.Refused() {
			return o
		}
		if last := max(owner.Renew.Index, owner.Former); waited > last {
			return refuse(UnknownRenewal, "node %v was last renewed by entry %d, not %d", owner, last, waited)
		}
	}
	return d.spanned(list, func(slot uint16, s slots.Slot) Outcome {
		if owner != nil {
			if o := d.ownedBy(owner, slot, &s); o.Refused() {
				return o
			}
		}
		if o := check(slot, &s); o.Refused() {
			return o
		}
		if backing := d.backing(&s); backing > waited {
			return refuse(LeaseRunning, "a lease on slot %d was renewed by entry %d, and %d was waited out", slot, backing, waited)
		}
		return Outcome{}
	})
}

// succeed makes a replica an owner, before it is given slots of its owner. If
// none are left and none come to that owner, it and its replicas follow.
func (d *draft) succeed(to *Member, taken []Span) {
	from := to.Of
	last := !d.owned().Imports(from) && size(d.owned().OwnedBy(from)) == size(taken)
	heir := d.change(to.Number)
	heir.Of = slots.None
	if !last {
		heir.Shard = d.newShard()
		d.leaveSets(heir.Number)
		return
	}
	for _, m := range slices.Clone(d.members) {
		if m.Number == from || m.Of == from {
			d.change(m.Number).Of = heir.Number
		}
	}
}

// sized is what covers a number of slots.
type sized interface{ Size() int }

func size[T sized](list []T) (sum int) {
	for _, r := range list {
		sum += r.Size()
	}
	return sum
}

// Unassign leaves slots without an owner. What holds for taking slots by Assign
// holds here.
type Unassign struct {
	From   slots.Node
	Waited uint64
	Spans  []Span
}

func (e *Unassign) code(c *coder) {
	node(c, "an owner", &e.From)
	any64(c, "a renewal", &e.Waited)
	spans(c, &e.Spans)
}

func (e *Unassign) apply(d *draft) Outcome {
	anySlot := func(uint16, *slots.Slot) Outcome { return Outcome{} }
	if o := d.take(e.From, e.Waited, e.Spans, anySlot); o.Refused() {
		return o
	}
	return d.spanned(e.Spans, func(slot uint16, s slots.Slot) Outcome {
		d.edit.Put(slot, slots.Slot{Epoch: d.index, Cut: d.cut(&s, slots.None), Set: d.inSync(nil)})
		return Outcome{}
	})
}
