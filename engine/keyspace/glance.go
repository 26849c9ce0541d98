package keyspace

import "unsafe"

// What stands in the header of an entry that needs no closer look: a short key,
// no deadline. Kinds and the payload's length are looked at besides.
const plainMask = keyMask<<keyShift | flagLongKey | flagExpires

// glance finds the block that a key's Near names if it is the key's, has no
// deadline and holds text.
func (s *Space) glance(near uint64, key []byte) (block unsafe.Pointer, h uint64) {
	if near == 0 || near&^refMask != s.stamp() {
		return nil, 0
	}
	block = s.store.at(near & refMask)
	h = *word(block)
	if h&plainMask != uint64(len(key))<<keyShift || headerKind(h)-KindRaw > KindEmbstr-KindRaw {
		return nil, 0
	}
	if !equals(unsafe.Add(block, headerBytes), key) {
		return nil, 0
	}
	return block, h
}

// equals tells whether the bytes at p are those of a key. Of the usual lengths
// it sees all in two words.
func equals(p unsafe.Pointer, key []byte) bool {
	n := len(key)
	if n-8 > 16-8 || n < 8 {
		return string(unsafe.Slice((*byte)(p), n)) == string(key)
	}
	k := unsafe.Pointer(unsafe.SliceData(key))
	return *word(p) == *word(k) && *word(unsafe.Add(p, n-8)) == *word(unsafe.Add(k, n-8))
}

// Glance gives the value of a key in the usual case: Near (see Key) still
// holds and the value is text without a deadline. It sets the access clock. It
// tells whether that is so; if not, Find knows.
func (s *Space) Glance(near uint64, key []byte, clock uint32) (value []byte, ok bool) {
	block, h := s.glance(near, key)
	if block == nil {
		return nil, false
	}
	if uint32(h>>clockShift) != clock {
		*word(block) = h&(1<<clockShift-1) | uint64(clock)<<clockShift
	}
	return unsafe.Slice((*byte)(unsafe.Add(block, headerBytes+len(key))), headerPayload(h)), true
}

// Replace puts text in the place of text of the same kind and length in the
// usual case: Near still holds, there is no deadline, no walk wants to know
// what was there. It tells whether it did.
func (s *Space) Replace(near uint64, key, value []byte, kind Kind, clock uint32) bool {
	block, h := s.glance(near, key)
	if block == nil || headerPayload(h) != len(value) || headerKind(h) != kind || s.store.walking > 0 {
		return false
	}
	*word(block) = h&(1<<clockShift-1) | uint64(clock)<<clockShift
	copy(unsafe.Slice((*byte)(unsafe.Add(block, headerBytes+len(key))), len(value)), value)
	return true
}
