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
	if string(unsafe.Slice((*byte)(unsafe.Add(block, headerBytes)), len(key))) != string(key) {
		return nil, 0
	}
	return block, h
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
