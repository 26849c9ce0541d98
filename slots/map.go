package slots

import "slices"

// Node is the number of a cluster member. Numbers begin at 1 and are never
// given twice, so that an old message cannot mean a later member.
type Node uint32

// None is no node.
const None Node = 0

// Standing says whether a slot's owner may serve it while its lease holds.
type Standing uint8

// Standings. Only Served lets the owner answer; the others wait for the slot
// to be assigned again.
const (
	Served   Standing = iota // by the owner, under its lease
	Released                 // the owner gave the slot up by an entry and serves it no more
	Orphaned                 // the owner was started anew; its former process may hold a lease yet
)

// Set is the in-sync set of a slot: the replicas that hold every acknowledged
// write and that the owner waits for. It never changes once published.
type Set struct {
	Version uint64 // Raft index of the entry that made it
	Members []Node // ascending, without the owner
}

// Slot is what a Map says of one slot.
type Slot struct {
	Epoch    uint64   // Raft index of the entry that last gave or took the slot; 0: none did
	Move     uint64   // Raft index of the entry that began the migration; 0: none goes on
	Via      uint64   // Move of the migration by which the owner came to own the slot; 0: by none
	Cut      uint64   // Raft index of the entry that last ended a migration and left the slot with its owner; 0: none did
	Set      *Set     // nil only while Epoch is 0
	Owner    Node     // None: nobody serves it
	To       Node     // the migration's destination; None exactly if Move is 0
	Standing Standing // Served if there is no owner
}

// Version tells the version of the in-sync set, 0 if there never was one.
func (s *Slot) Version() uint64 {
	if s.Set == nil {
		return 0
	}
	return s.Set.Version
}

// InSync lists the members of the in-sync set, ascending. It is not to be
// written to.
func (s *Slot) InSync() []Node {
	if s.Set == nil {
		return nil
	}
	return s.Set.Members
}

// Has tells whether a node is in the in-sync set.
func (s *Slot) Has(n Node) bool {
	_, found := slices.BinarySearch(s.InSync(), n)
	return found
}

// same tells whether two slots are equal and have one set. It is what == says, and
// small enough to need no call: to look through a map it is asked of every slot.
func (s *Slot) same(o *Slot) bool {
	return s.Epoch == o.Epoch && s.Set == o.Set && s.Owner == o.Owner && s.Standing == o.Standing &&
		s.Move == o.Move && s.Via == o.Via && s.Cut == o.Cut && s.To == o.To
}

// Equal tells whether two slots say the same, sets compared by value.
func (s *Slot) Equal(other *Slot) bool {
	if s.same(other) {
		return true
	}
	a, b := *s, *other
	a.Set, b.Set = nil, nil
	return a == b && s.Version() == other.Version() && (s.Set == nil) == (other.Set == nil) &&
		slices.Equal(s.InSync(), other.InSync())
}

const (
	pageBits = 7
	pageSize = 1 << pageBits // slots
	pages    = Count / pageSize
)

type page [pageSize]Slot

// Map says for each slot who owns it. A Map never changes: an Edit makes
// another, which shares the pages that it did not touch. Any number of threads
// may read it.
type Map struct {
	pages [pages]*page // none is nil
}

// blank is the page of slots that nobody ever owned; it is never written to.
var blank page

// NewMap is the map in which no slot has an owner.
func NewMap() *Map {
	m := new(Map)
	for i := range m.pages {
		m.pages[i] = &blank
	}
	return m
}

func (m *Map) at(slot uint16) *Slot {
	return &m.pages[slot>>pageBits%pages][slot%pageSize]
}

// At tells all about a slot, 0 <= slot < Count.
func (m *Map) At(slot uint16) Slot { return *m.at(slot) }

// Owner tells the owner of a slot, None if nobody has it.
func (m *Map) Owner(slot uint16) Node { return m.at(slot).Owner }

// Epoch tells the ownership epoch of a slot.
func (m *Map) Epoch(slot uint16) uint64 { return m.at(slot).Epoch }

// ServedBy tells whether a node may serve a slot while its lease holds.
func (m *Map) ServedBy(slot uint16, n Node) bool {
	s := m.at(slot)
	return s.Owner == n && s.Standing == Served
}

// Edit collects the changes from one Map to the next. It belongs to one caller.
type Edit struct {
	base, next *Map // next is base until the first change
}

// Edit begins a change of the map, which itself stays as it is.
func (m *Map) Edit() *Edit { return &Edit{base: m, next: m} }

// At tells all about a slot as the edit has it so far.
func (e *Edit) At(slot uint16) Slot { return *e.next.at(slot) }

// Put sets what is said of a slot. A page is copied when the first of its
// slots changes; what equals that which stands there changes nothing.
func (e *Edit) Put(slot uint16, s Slot) {
	if e.next.at(slot).Equal(&s) {
		return
	}
	if e.next == e.base {
		copied := *e.base
		e.next = &copied
	}
	number := slot >> pageBits % pages
	if e.next.pages[number] == e.base.pages[number] {
		copied := *e.base.pages[number]
		e.next.pages[number] = &copied
	}
	*e.next.at(slot) = s
}

// Map ends the edit: the map with all changes, or that which was edited if
// there were none.
func (e *Edit) Map() *Map {
	done := e.next
	e.base = done // what follows copies again
	return done
}
