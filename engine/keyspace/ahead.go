package keyspace

import (
	"math/bits"
	"unsafe"
)

// Memory is slow and a machine has a dozen or more cache misses under way at
// once, if they are asked for one right after the other. So whoever has many keys
// calls AskTable for all of them, then AskEntry, then looks them up, with other
// work in between.

// AskTable asks for the memory that looks up a Place first.
func (s *Space) AskTable(place uint64) {
	c := s.leaf(place)
	prefetchWords(s.home(c, mix(window(place, depthOf(c)))))
}

// AskEntry asks for the memory of the entry that Find will most likely find, and
// gives what Key.Near wants to know of it; 0 if there is none.
func (s *Space) AskEntry(place uint64) (near uint64) {
	c := s.leaf(place)
	tag := mix(window(place, depthOf(c)))
	w := *s.seek(c, tag)
	if w>>tagShift != tag || w == 0 || s.id>>nearSpaces != 0 {
		return 0
	}
	prefetchPair(s.store.at(w & refMask))
	return s.stamp() | w&refMask
}

// AskBytes asks for the bytes of a key that is about to be looked up, and for a
// few dozen behind them, where a request has the value. That pays when another
// core has written them.
func AskBytes(key []byte) {
	prefetchPair(unsafe.Pointer(unsafe.SliceData(key)))
}

// seek finds the first word, from the home of a tag on, that is free or whose
// tag is not lower. Words are in the order of their tags, with free ones in
// between, so that counting the lower ones among the next few finds it: without
// a branch that nobody can predict.
func (s *Space) seek(c, tag uint64) *uint64 {
	at := s.home(c, tag)
	least := tag << tagShift // of words with the tag; only those with a lower one are below it, less 1
	if stepOf(c) >= seekStep {
		_, b0 := bits.Sub64(*word(at)-1, least, 0)
		_, b1 := bits.Sub64(*word(unsafe.Add(at, 8))-1, least, 0)
		_, b2 := bits.Sub64(*word(unsafe.Add(at, 16))-1, least, 0)
		_, b3 := bits.Sub64(*word(unsafe.Add(at, 24))-1, least, 0)
		at = unsafe.Add(at, (b0+b1+b2+b3)*8)
	}
	for *word(at)-1 < least { // a free word is 0, and most of all when less 1
		at = unsafe.Add(at, 8)
	}
	return word(at)
}

// seekStep is the step from which on tables have, behind each home, at least
// three words more.
const seekStep = 3

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
