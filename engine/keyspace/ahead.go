package keyspace

import "unsafe"

// AheadMax is how many keys an Ahead takes.
const AheadMax = 64

// Ahead asks for the memory of many keys before they are looked up. A machine
// has a dozen or more cache misses under way at once, if they are asked for one right
// after the other: so first the addresses are gathered, then all are asked for.
//
//	Table(...) for each key, Fetch; Entry(...) for each key, FetchEntries
//
// Fetching takes some 100 ns, so that there should be other work in between.
type Ahead struct {
	list [AheadMax]uintptr
	n    int
}

// Full tells that the list has no room: it is time to fetch.
func (a *Ahead) Full() bool { return a.n == AheadMax }

// Table adds the memory that looks up a Place first.
func (a *Ahead) Table(s *Space, place uint64) {
	c := s.leaf(place)
	a.list[a.n%AheadMax] = uintptr(s.home(c, mix(window(place, depthOf(c)))))
	a.n++
}

// Entry adds the memory of the entry that Find will most likely find, and
// gives what Key.Near wants to know of it; 0 if there is none.
func (a *Ahead) Entry(s *Space, place uint64) (near uint64) {
	c := s.leaf(place)
	tag := mix(window(place, depthOf(c)))
	at := s.home(c, tag)
	for *word(at) != 0 && *word(at)>>tagShift < tag {
		at = unsafe.Add(at, 8)
	}
	w := *word(at)
	if w>>tagShift != tag || w == 0 || s.id>>nearSpaces != 0 {
		return 0
	}
	a.list[a.n%AheadMax] = uintptr(s.store.at(w & refMask))
	a.n++
	return s.stamp() | w&refMask
}

// stamp is what stands above the ref in Key.Near: it changes whenever a ref
// may have become another entry, and it differs between spaces.
func (s *Space) stamp() uint64 {
	return (s.store.moves<<nearSpaces | uint64(s.id)) << nearShift
}

const (
	nearShift  = 36
	nearSpaces = 8 // bits of Space.id; spaces with a larger one go without
)

// near is the entry that a key's Near names, if it still is where it was and
// is the key's.
func (s *Space) near(k Key) unsafe.Pointer {
	if k.Near&^refMask != s.stamp() {
		return nil
	}
	block := s.store.at(k.Near & refMask)
	if !sameKey(block, k.Bytes) {
		return nil
	}
	return block
}

// Fetch asks for what Table added.
func (a *Ahead) Fetch() {
	prefetchEach(&a.list[0], min(a.n, AheadMax))
	a.n = 0
}

// FetchEntries asks for what Entry added.
func (a *Ahead) FetchEntries() {
	prefetchEachPair(&a.list[0], min(a.n, AheadMax))
	a.n = 0
}
