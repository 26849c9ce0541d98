package state

import (
	"math"
	"slices"

	"github.com/elares/ironcache/slots"
)

// BeginMigration starts the way of slots to another owner. The index of the
// entry is the migration's name.
type BeginMigration struct {
	To          slots.Node
	Incarnation uint64 // of To; when it starts another, the migration ends
	Spans       []Span
}

func (e *BeginMigration) code(c *coder) {
	node(c, "a destination", &e.To)
	number(c, "an incarnation", &e.Incarnation, 1, math.MaxUint64)
	spans(c, &e.Spans)
}

func (e *BeginMigration) apply(d *draft) Outcome {
	to, o := d.running(e.To, e.Incarnation)
	if o.Refused() {
		return o
	}
	if to.Of != slots.None {
		return refuse(IsReplica, "node %v is a replica", to)
	}
	return d.spanned(e.Spans, func(slot uint16, s slots.Slot) Outcome {
		switch {
		case s.Owner == slots.None:
			return refuse(SlotUnowned, "slot %d has no owner", slot)
		case s.Owner == e.To:
			return refuse(AlreadyThere, "node %v owns slot %d", to, slot)
		case s.To != slots.None:
			return refuse(Migrating, "slot %d migrates to %s", slot, d.name(s.To))
		}
		if o := served(slot, &s); o.Refused() {
			return o
		}
		s.To, s.Move = e.To, d.index
		d.edit.Put(slot, s)
		return Outcome{}
	})
}

// MoveSpan is a range of slots with the migration that the proposer saw.
type MoveSpan struct {
	slots.Range
	Move uint64 // Raft index of the BeginMigration
}

// CancelMigration ends migrations. The slots stay with their owner. After it is
// applied, a Flip of those migrations is refused.
type CancelMigration struct{ Spans []MoveSpan }

func (e *CancelMigration) code(c *coder) {
	ascending(c, &e.Spans, 1, func(s *MoveSpan) *slots.Range { return &s.Range }, func(c *coder, s *MoveSpan) {
		number(c, "a migration", &s.Move, 1, math.MaxUint64)
	})
}

func (e *CancelMigration) apply(d *draft) Outcome {
	for _, span := range e.Spans {
		o := each(span.Range, func(slot uint16) Outcome {
			s := d.edit.At(slot)
			if s.Move != span.Move {
				return staleMove(slot, s.Move, span.Move)
			}
			d.stopImport(slot, s)
			return Outcome{}
		})
		if o.Refused() {
			return o
		}
	}
	return Outcome{}
}

func staleMove(slot uint16, has, named uint64) Outcome {
	if has == 0 {
		return refuse(StaleMove, "slot %d does not migrate; migration %d is over", slot, named)
	}
	return refuse(StaleMove, "slot %d is in migration %d, not %d", slot, has, named)
}

// Synced is a replica of the destination with the incarnation that acknowledged
// the final offset.
type Synced struct {
	Node        slots.Node
	Incarnation uint64
}

// Flip gives a slot to the destination of its migration. The source has stopped
// serving it, and destination and in-sync set have acknowledged all up to the
// final offset, so no lease is waited for. Only the source proposes it.
type Flip struct {
	Slot   uint16
	Epoch  uint64
	Move   uint64 // Raft index of the BeginMigration
	Offset uint64 // where the source's history of the slot ends
	InSync []Synced
}

func (e *Flip) code(c *coder) {
	number(c, "a slot", &e.Slot, 0, slots.Count-1)
	any64(c, "an epoch", &e.Epoch)
	number(c, "a migration", &e.Move, 1, math.MaxUint64)
	any64(c, "an offset", &e.Offset)
	list(c, "in-sync members", &e.InSync, 0, MaxInSync, func(c *coder, s *Synced) {
		node(c, "a node", &s.Node)
		number(c, "an incarnation", &s.Incarnation, 1, math.MaxUint64)
	})
}

func (e *Flip) apply(d *draft) Outcome {
	s := d.edit.At(e.Slot)
	switch {
	case s.Epoch != e.Epoch:
		return staleEpoch(e.Slot, s.Epoch, e.Epoch)
	case s.Move != e.Move:
		return staleMove(e.Slot, s.Move, e.Move)
	}
	var members []slots.Node
	for _, synced := range e.InSync {
		m, o := d.running(synced.Node, synced.Incarnation)
		if o.Refused() {
			return o
		}
		if m.Of != s.To {
			return refuse(NotItsReplica, "node %v is no replica of the destination, which is %s", m, d.name(s.To))
		}
		members = append(members, m.Number)
	}
	slices.Sort(members)
	d.edit.Put(e.Slot, slots.Slot{Epoch: d.index, Owner: s.To, Via: s.Move, Cut: s.Cut, Set: d.inSync(slices.Compact(members))})
	return Outcome{}
}
