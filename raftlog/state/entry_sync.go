package state

import (
	"math"
	"slices"

	"github.com/elares/ironcache/slots"
)

// SyncSpan is a range of slots with the epoch and the version of the in-sync set
// that the proposer saw: the entry is refused if a slot has others by then.
type SyncSpan struct {
	Span
	Version uint64
}

func syncSpans(c *coder, l *[]SyncSpan) {
	ascending(c, l, 1, func(s *SyncSpan) *slots.Range { return &s.Range }, func(c *coder, s *SyncSpan) {
		any64(c, "an epoch", &s.Epoch)
		any64(c, "a version", &s.Version)
	})
}

// resync gives each slot of the spans another in-sync set.
func (d *draft) resync(list []SyncSpan, members func(uint16, *slots.Slot) ([]slots.Node, Outcome)) Outcome {
	for _, span := range list {
		o := d.spanned([]Span{span.Span}, func(slot uint16, s slots.Slot) Outcome {
			if s.Version() != span.Version {
				return refuse(StaleVersion, "the in-sync set of slot %d has version %d, not %d", slot, s.Version(), span.Version)
			}
			become, o := members(slot, &s)
			if o.Refused() {
				return o
			}
			s.Set = d.inSync(become)
			d.edit.Put(slot, s)
			return Outcome{}
		})
		if o.Refused() {
			return o
		}
	}
	return Outcome{}
}

// Grow puts a replica into in-sync sets. It has caught up, and the owner waits
// for it, from before this is proposed until a set of a later version lacks it.
type Grow struct {
	Node        slots.Node
	Incarnation uint64 // in which it caught up
	Spans       []SyncSpan
}

func (e *Grow) code(c *coder) {
	node(c, "a node", &e.Node)
	number(c, "an incarnation", &e.Incarnation, 1, math.MaxUint64)
	syncSpans(c, &e.Spans)
}

func (e *Grow) apply(d *draft) Outcome {
	m, o := d.running(e.Node, e.Incarnation)
	if o.Refused() {
		return o
	}
	return d.resync(e.Spans, func(slot uint16, s *slots.Slot) ([]slots.Node, Outcome) {
		switch {
		case s.Owner == slots.None || m.Of != s.Owner:
			return nil, refuse(NotItsReplica, "node %v is no replica of slot %d's owner, which is %s", m, slot, d.name(s.Owner))
		case s.Has(e.Node):
			return nil, refuse(AlreadyInSync, "node %v is in the in-sync set of slot %d", m, slot)
		case len(s.InSync()) == MaxInSync:
			return nil, refuse(TooManyInSync, "the in-sync set of slot %d has %d members, which is the most", slot, MaxInSync)
		}
		grown := append(slices.Clone(s.InSync()), e.Node)
		slices.Sort(grown)
		return grown, Outcome{}
	})
}

// Shrink sees to it that a replica is not in in-sync sets. The sets get a new
// version even if it was not, so that a Grow with an unknown outcome is refused
// after it. The owner waits for the node until it has applied this.
type Shrink struct {
	Node  slots.Node
	Spans []SyncSpan
}

func (e *Shrink) code(c *coder) {
	node(c, "a node", &e.Node)
	syncSpans(c, &e.Spans)
}

func (e *Shrink) apply(d *draft) Outcome {
	if _, o := d.known(e.Node); o.Refused() {
		return o
	}
	return d.resync(e.Spans, func(slot uint16, s *slots.Slot) ([]slots.Node, Outcome) {
		if s.Owner == slots.None {
			return nil, refuse(SlotUnowned, "slot %d has no owner", slot)
		}
		return without(s.InSync(), e.Node), Outcome{}
	})
}
