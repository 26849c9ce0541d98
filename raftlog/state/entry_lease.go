package state

import (
	"math"

	"github.com/elares/ironcache/slots"
)

// Barrier is the first entry of a new leader. From its own apply of it the
// leader counts every lease that an earlier Renew granted.
type Barrier struct {
	Leader slots.Node
	Term   uint64
}

func (e *Barrier) code(c *coder) {
	node(c, "a leader", &e.Leader)
	number(c, "a term", &e.Term, 1, math.MaxUint64)
}

func (e *Barrier) apply(d *draft) Outcome {
	if _, o := d.known(e.Leader); o.Refused() {
		return o
	}
	if e.Term <= d.barrier.Term {
		return refuse(StaleTerm, "term %d has begun, and this is %d", d.barrier.Term, e.Term)
	}
	d.barrier = Mark{Term: e.Term, Index: d.index, Leader: e.Leader}
	return Outcome{}
}

// Request is one node's request to have its lease renewed.
type Request struct {
	Node slots.Node
	By   Stamp
}

// Renew grants leases: each from the time when its holder sent the request of
// that number, for the length that is configured. Requests that are stale by now
// are passed over; an entry of nothing else is refused with the first one's
// reason.
type Renew struct{ Requests []Request }

func (e *Renew) code(c *coder) {
	list(c, "requests", &e.Requests, 1, MaxMembers, func(c *coder, r *Request) {
		node(c, "a node", &r.Node)
		r.By.code(c)
	})
}

func (e *Renew) apply(d *draft) (first Outcome) {
	granted := false
	for _, r := range e.Requests {
		if _, o := d.requests(r.Node, r.By); !o.Refused() {
			m := d.change(r.Node)
			m.Stamp = r.By
			m.Renew = Renewal{Sequence: r.By.Sequence, Index: d.index}
			granted = true
		} else if !first.Refused() {
			first = o
		}
	}
	if granted {
		return Outcome{}
	}
	return first
}

// Release gives up slots without waiting for a lease to end. The owner has
// stopped serving them before it proposes this, and goes on with none of them
// until they are assigned again. If the outcome is not known, it serves them
// again only after a later request of its own was applied without the Release
// having been: its stamp makes the Release stale then.
type Release struct {
	Node  slots.Node
	By    Stamp
	Spans []Span
}

func (e *Release) code(c *coder) {
	node(c, "a node", &e.Node)
	e.By.code(c)
	spans(c, &e.Spans)
}

func (e *Release) apply(d *draft) Outcome {
	m, o := d.requests(e.Node, e.By)
	if o.Refused() {
		return o
	}
	o = d.spanned(e.Spans, func(slot uint16, s slots.Slot) Outcome {
		if o := d.ownedBy(m, slot, &s); o.Refused() {
			return o
		}
		if o := served(slot, &s); o.Refused() {
			return o
		}
		s.Standing = slots.Released
		d.edit.Put(slot, s)
		return Outcome{}
	})
	if !o.Refused() {
		d.change(e.Node).Stamp = e.By
	}
	return o
}

// served refuses a slot that its owner does not serve.
func served(slot uint16, s *slots.Slot) Outcome {
	switch s.Standing {
	case slots.Released:
		return refuse(NotServed, "slot %d was released by its owner", slot)
	case slots.Orphaned:
		return refuse(NotServed, "the owner of slot %d was started anew and was not assigned it again", slot)
	}
	return Outcome{}
}
