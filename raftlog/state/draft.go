package state

import (
	"slices"

	"github.com/elares/ironcache/slots"
)

// draft is the state that an entry is making. It is dropped if the entry is
// refused, so an entry may change it before it is done with its checks.
type draft struct {
	State
	index uint64
	edit  *slots.Edit
	set   *slots.Set // the last that was made, for the next slot with the same members
	own   bool       // members is the draft's own list
}

func newDraft(s *State, index uint64) *draft {
	return &draft{State: *s, index: index, edit: s.Map().Edit()}
}

func (d *draft) done(version uint8) State {
	d.changed = d.index
	d.version = max(d.version, version)
	d.slots = d.edit.Map()
	return d.State
}

// owned is the map as the draft has it.
func (d *draft) owned() *slots.Map { return d.edit.Map() }

// known finds a member or refuses.
func (d *draft) known(n slots.Node) (*Member, Outcome) {
	if m := d.Member(n); m != nil {
		return m, Outcome{}
	}
	return nil, refuse(UnknownNode, "node number %d is not a member", n)
}

// running finds a member that is in a given incarnation, or refuses.
func (d *draft) running(n slots.Node, incarnation uint64) (*Member, Outcome) {
	m, o := d.known(n)
	if o.Refused() {
		return nil, o
	}
	if m.Stamp.Incarnation != incarnation {
		return nil, refuse(StaleIncarnation, "node %v is in incarnation %d, not %d", m, m.Stamp.Incarnation, incarnation)
	}
	return m, Outcome{}
}

// requests finds the member that made a request, or refuses the request if it is
// not newer than all that were accepted from the node.
func (d *draft) requests(n slots.Node, by Stamp) (*Member, Outcome) {
	m, o := d.running(n, by.Incarnation)
	if o.Refused() {
		return nil, o
	}
	if by.Sequence <= m.Stamp.Sequence {
		return nil, refuse(StaleSequence, "node %v already made request %d, and this is %d", m, m.Stamp.Sequence, by.Sequence)
	}
	return m, Outcome{}
}

// change gives a copy of a member to write to.
func (d *draft) change(n slots.Node) *Member {
	d.ownMembers()
	at, _ := find(d.members, n)
	copied := *d.members[at]
	d.members[at] = &copied
	return &copied
}

func (d *draft) ownMembers() {
	if !d.own {
		d.members = slices.Clone(d.members)
		d.own = true
	}
}

// enrol gives a new member its number and its shard.
func (d *draft) enrol(m Member) *Member {
	d.ownMembers()
	d.numbers++
	m.Number = d.numbers
	m.Shard = d.newShard()
	d.members = append(d.members, &m)
	return &m
}

func (d *draft) newShard() uint64 {
	d.shards++
	return d.shards
}

// fresh refuses a node whose id or address a member has.
func (d *draft) fresh(id ID, at *Address) Outcome {
	if len(d.members) >= MaxMembers {
		return refuse(TooManyMembers, "the cluster has %d members, which is the most", MaxMembers)
	}
	for _, m := range d.members {
		if m.ID == id {
			return refuse(KnownNode, "node %v is a member already", m)
		}
		if m.Address.Host == at.Host && (m.Address.BusPort == at.BusPort || m.Address.Port == at.Port) {
			return refuse(AddressTaken, "node %v has the address %s, ports %d and %d: forget it first",
				m, m.Address.Host, m.Address.Port, m.Address.BusPort)
		}
	}
	return Outcome{}
}

// each calls a function for every slot of a range until one is refused.
func each(r slots.Range, do func(slot uint16) Outcome) Outcome {
	for slot := int(r.First); slot <= int(r.Last); slot++ {
		if o := do(uint16(slot)); o.Refused() {
			return o
		}
	}
	return Outcome{}
}

// inSync makes the in-sync set of a slot that this entry changes. The members
// ascend.
func (d *draft) inSync(members []slots.Node) *slots.Set {
	if d.set == nil || !slices.Equal(d.set.Members, members) {
		d.set = &slots.Set{Version: d.index, Members: members}
	}
	return d.set
}

// leaveSets takes a node out of the in-sync sets of all slots.
func (d *draft) leaveSets(n slots.Node) {
	for _, r := range d.owned().Where(func(s *slots.Slot) bool { return s.Has(n) }) {
		each(r, func(slot uint16) Outcome {
			s := d.edit.At(slot)
			s.Set = d.inSync(without(s.InSync(), n))
			d.edit.Put(slot, s)
			return Outcome{}
		})
	}
}

func without(members []slots.Node, n slots.Node) []slots.Node {
	return keep(members, func(m slots.Node) bool { return m != n })
}

// keep copies the members that a test holds for.
func keep(members []slots.Node, holds func(slots.Node) bool) (kept []slots.Node) {
	for _, m := range members {
		if holds(m) {
			kept = append(kept, m)
		}
	}
	return kept
}

// stopImports ends the migrations to a node.
func (d *draft) stopImports(n slots.Node) {
	for _, r := range d.owned().Where(func(s *slots.Slot) bool { return s.To == n }) {
		each(r, func(slot uint16) Outcome {
			d.stopImport(slot, d.edit.At(slot))
			return Outcome{}
		})
	}
}

// stopImport ends the migration of a slot, which stays with its owner.
func (d *draft) stopImport(slot uint16, s slots.Slot) {
	s.Cut = d.cut(&s, s.Owner)
	s.To, s.Move = slots.None, 0
	d.edit.Put(slot, s)
}

// cut is the Cut of a slot of which the entry makes a node the owner: a migration
// to another ends by that.
func (d *draft) cut(s *slots.Slot, owner slots.Node) uint64 {
	if s.To != slots.None && s.To != owner {
		return d.index
	}
	return s.Cut
}

// replicas tells whether a member has replicas.
func (d *draft) replicas(n slots.Node) bool {
	return slices.ContainsFunc(d.members, func(m *Member) bool { return m.Of == n })
}
