package state

import (
	"math"

	"github.com/elares/ironcache/slots"
)

// Founder is a node of a topology that a cluster is formed with.
type Founder struct {
	ID          ID
	Address     Address
	Incarnation uint64 // 0 if it is not known; the node's Announce tells it
	Speaks      uint8
	Suffrage    Suffrage
	Of          slots.Node // place of its owner in the list, from 1; None for an owner
	Owns        []slots.Range
}

func (f *Founder) code(c *coder) {
	c.raw("a node id", f.ID[:])
	f.Address.code(c)
	any64(c, "an incarnation", &f.Incarnation)
	number(c, "the version a node speaks", &f.Speaks, firstVersion, math.MaxUint8)
	number(c, "a suffrage", &f.Suffrage, 0, uint64(suffrages-1))
	number(c, "the owner of a replica", &f.Of, 0, MaxMembers)
	ranges(c, &f.Owns)
}

// Form makes a cluster of a topology. It is accepted once ever. The first of the
// list proposes it. Members get the numbers of their places in the list, from 1.
type Form struct{ Founders []Founder }

func (e *Form) code(c *coder) {
	list(c, "founders", &e.Founders, 1, MaxMembers, func(c *coder, f *Founder) { f.code(c) })
}

func (e *Form) apply(d *draft) Outcome {
	if d.formed {
		return refuse(AlreadyFormed, "the cluster was formed before")
	}
	d.formed, d.cluster = true, e.Founders[0].ID
	voters := 0
	for i := range e.Founders {
		f := &e.Founders[i]
		voters += int(f.Suffrage)
		if o := f.found(d); o.Refused() {
			return o
		}
	}
	if voters == 0 {
		return refuse(LastVoter, "no founder has a vote")
	}
	for i := range e.Founders {
		if o := e.Founders[i].follow(d, slots.Node(i+1)); o.Refused() {
			return o
		}
	}
	return Outcome{}
}

// found makes the founder a member with its slots.
func (f *Founder) found(d *draft) Outcome {
	if o := d.fresh(f.ID, &f.Address); o.Refused() {
		return o
	}
	m := d.enrol(Member{ID: f.ID, Address: f.Address, Stamp: Stamp{Incarnation: f.Incarnation},
		Speaks: f.Speaks, Suffrage: f.Suffrage})
	return d.claim(m, f.Owns)
}

// follow makes the founder a replica, when all founders are members.
func (f *Founder) follow(d *draft, n slots.Node) Outcome {
	if f.Of == slots.None {
		return Outcome{}
	}
	return d.follow(n, f.Of)
}

// claim gives slots that nobody owns to a member whose process has never held a
// lease on them.
func (d *draft) claim(m *Member, claims []slots.Range) Outcome {
	for _, r := range claims {
		o := each(r, func(slot uint16) Outcome {
			if owner := d.edit.At(slot).Owner; owner != slots.None {
				return refuse(SlotOwned, "slot %d, which %v claims, is owned by %s", slot, m, d.name(owner))
			}
			d.edit.Put(slot, slots.Slot{Epoch: d.index, Owner: m.Number, Set: d.inSync(nil)})
			return Outcome{}
		})
		if o.Refused() {
			return o
		}
	}
	return Outcome{}
}
