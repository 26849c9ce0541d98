package keyspace

import (
	"unsafe"

	"github.com/elares/ironcache/sim/invariant"
	"github.com/elares/ironcache/slots"
)

// Space is one database of one shard: the entries of its keys in segments, in
// the order of their Places.
type Space struct {
	store   *Store
	root    []uint64 // cells; see directory.go
	shift   uint     // 64 - log2(len(root))
	agenda  agenda   // segments with entries
	count   int      // entries
	expires int      // entries with an expiry
	leaves  int      // segments, also those without entries
	nodes   int      // of the directory
	id      uint16   // names the contents in tables and nodes; Store.byID
	db      int
	perSlot []uint32 // entries of each slot; nil when not kept or all zero
	drained int      // cells of the root whose nodes are freed, once cleared
	holds   int      // walks that have yet to pass here, once cleared
}

// DB is the number of the database.
func (s *Space) DB() int { return s.db }

// Len is the number of keys.
func (s *Space) Len() int { return s.count }

// Expires is the number of keys with an expiry.
func (s *Space) Expires() int { return s.expires }

// Find looks a key up. It does not look at the expiry.
func (s *Space) Find(k Key) Entry {
	if k.Near != 0 {
		if block := s.near(k); block != nil {
			return Entry{block, s.store, k.Near & refMask}
		}
	}
	c := s.leaf(k.Place)
	tag := mix(window(k.Place, depthOf(c)))
	for at := s.seek(c, tag); *at>>tagShift == tag && *at != 0; at = word(unsafe.Add(unsafe.Pointer(at), 8)) {
		block := s.store.at(*at & refMask)
		if sameKey(block, k.Bytes) || s.sameLongKey(block, k.Bytes) {
			return Entry{block, s.store, *at & refMask}
		}
	}
	return Entry{}
}

// home is the address of the word where the search for a tag starts.
func (s *Space) home(c, tag uint64) unsafe.Pointer {
	z := &sizes[stepOf(c)]
	return unsafe.Add(s.store.at(c&refMask), tableBytes+z.home(tag)*8)
}

// sameKey tells whether a block has a key that is not an extent.
func sameKey(block unsafe.Pointer, key []byte) bool {
	if *word(block)&(keyMask<<keyShift|flagLongKey) != uint64(len(key))<<keyShift {
		return false
	}
	return string(unsafe.Slice((*byte)(unsafe.Add(block, headerBytes)), len(key))) == string(key)
}

func (s *Space) sameLongKey(block unsafe.Pointer, key []byte) bool {
	return len(key) > maxKey && *word(block)&flagLongKey != 0 &&
		string(s.store.extentBytes(unsafe.Add(block, headerBytes))) == string(key)
}

// link puts a block that is not in the table yet into it.
func (s *Space) link(place, ref uint64, expiry int64) {
	w := ref
	if expiry != 0 {
		w |= wordExpire
	}
	c := s.leaf(place)
	t := s.store.table(c & refMask)
	for !s.insert(t, c, place, w) {
		s.makeRoom(place, c)
		c = s.leaf(place)
		t = s.store.table(c & refMask)
	}
	t.count++
	s.count++
	s.countSlot(place, 1)
	if expiry != 0 {
		s.noteExpiry(c, t, expiry)
	}
	if invariant.Deep {
		s.verifyTable(s.leaf(place))
	}
}

func (s *Space) insert(t *table, c, place, w uint64) bool {
	z, depth := &sizes[stepOf(c)], depthOf(c)
	if t.count >= z.limit && (depth < maxDepth || stepOf(c) == 0) {
		return false
	}
	return t.insert(z, w|mix(window(place, depth))<<tagShift)
}

// unlink takes the word of a block out of its table.
func (s *Space) unlink(place, ref uint64) {
	c := s.leaf(place)
	t := s.store.table(c & refMask)
	s.unlinkAt(t, t.find(mix(window(place, depthOf(c))), ref))
	s.countSlot(place, -1)
	s.thin(place, t)
}

// unlinkAt leaves the table as large as it is.
func (s *Space) unlinkAt(t *table, i int) {
	if *t.at(i)&wordExpire != 0 {
		t.expire--
		s.expires--
	}
	s.store.moves++
	t.remove(i)
	t.count--
	s.count--
}

// thin shrinks the segment if it has become sparse.
func (s *Space) thin(place uint64, t *table) {
	if t.count == 0 || t.count < sizes[t.step()].low {
		s.shrink(place)
	}
	if invariant.Deep {
		s.verifyTable(s.leaf(place))
	}
}

// relink points the word of a block to another block with the same key.
func (s *Space) relink(place, from, to uint64) {
	c := s.leaf(place)
	t := s.store.table(c & refMask)
	w := t.at(t.find(mix(window(place, depthOf(c))), from))
	*w = *w&^refMask | to
}

func (s *Space) countSlot(place uint64, n int) {
	if s.store.slotCounts {
		if s.perSlot == nil {
			s.perSlot = make([]uint32, slots.Count)
			s.store.chargeTables(4 * slots.Count)
		}
		s.perSlot[place>>slotShift] += uint32(n)
	}
}
