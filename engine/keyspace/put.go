package keyspace

import "unsafe"

// shape is what the block of an entry is made for.
type shape struct {
	kind    Kind
	payload int
	expiry  int64
	clock   uint32
}

// build makes a block for a key, without the payload. It fails as newExtent
// does for a key that is longer than maxKey.
func (s *Space) build(k Key, x shape) Entry {
	if len(k.Bytes) > maxKey {
		return s.buildLong(k, x)
	}
	e := s.frame(len(k.Bytes), 0, x, k.Place)
	copy(unsafe.Slice((*byte)(unsafe.Add(e.block, headerBytes)), len(k.Bytes)), k.Bytes)
	return e
}

func (s *Space) buildLong(k Key, x shape) Entry {
	handle, err := s.store.newExtent(len(k.Bytes), len(k.Bytes))
	if err != nil {
		return Entry{}
	}
	e := s.frame(descriptorBytes, flagLongKey, x, k.Place)
	*(*extent)(unsafe.Add(e.block, headerBytes)) = s.store.fillExtent(handle, k.Bytes)
	return e
}

// frame makes a block with header and expiry.
func (s *Space) frame(key int, flags uint64, x shape, place uint64) Entry {
	if s.store.walking > 0 {
		flags |= s.marks(place)
	}
	if x.expiry != 0 {
		flags |= flagExpires
	}
	h := flags | uint64(x.payload) | uint64(key)<<keyShift |
		uint64(x.kind)<<kindShift | uint64(x.clock)<<clockShift
	e := s.store.entry(s.store.alloc(sizeClass(headerSize(h))))
	*word(e.block) = h
	if x.expiry != 0 {
		*word(unsafe.Add(e.block, headerBytes+key)) = uint64(x.expiry)
	}
	return e
}

// reframe makes another block for the same key, without the payload, and puts
// it into the table. The block of e remains for the caller to free.
func (s *Space) reframe(k Key, e Entry, x shape) Entry {
	h := e.header()
	to := s.frame(headerKey(h), h&flagLongKey, x, k.Place)
	key := headerKey(h)
	copy(unsafe.Slice((*byte)(unsafe.Add(to.block, headerBytes)), key),
		unsafe.Slice((*byte)(unsafe.Add(e.block, headerBytes)), key))
	s.relink(k.Place, e.ref, to.ref)
	s.retime(k.Place, to.ref, e.Expiry(), x.expiry)
	return to
}

func (s *Store) fillExtent(handle uint64, b []byte) extent {
	s.touch(handle, len(b))
	copy(unsafe.Slice((*byte)(s.extentData(handle)), len(b)), b)
	return extent{handle, uint64(len(b))}
}

// PutString creates or overwrites an entry. A value above MaxInline becomes a
// KindExtent. The expiry is in Unix milliseconds, 0 for none. The value may be
// that of another entry of the store. The result is the zero Entry, and nothing
// has changed, when the system refuses memory for a key or value above 512 KB.
func (s *Space) PutString(k Key, value []byte, kind Kind, expiry int64, clock uint32) Entry {
	return s.Assign(k, s.Find(k), value, kind, expiry, clock)
}

// Assign is PutString for a caller that holds the result of Find(k), found or not.
func (s *Space) Assign(k Key, e Entry, value []byte, kind Kind, expiry int64, clock uint32) Entry {
	if len(value) > MaxInline {
		return s.assignLarge(k, e, value, expiry, clock)
	}
	if e.Ok() && expiry == 0 && s.overwrite(e, value, kind, clock) {
		return e
	}
	e = s.assign(k, e, shape{kind, len(value), expiry, clock & clockMask})
	if e.Ok() {
		copy(unsafe.Slice((*byte)(e.payload()), len(value)), value)
	}
	return e
}

const clockMask = 1<<24 - 1

// overwrite is the usual case of assign, in half of its time: no expiry, no
// extent, no walk, and the block stays large enough but not too large.
func (s *Space) overwrite(e Entry, value []byte, kind Kind, clock uint32) bool {
	h := e.header()
	to := h&(keyMask<<keyShift|flagLongKey) | uint64(len(value)) |
		uint64(kind)<<kindShift | uint64(clock)<<clockShift
	if h&flagExpires != 0 || headerKind(h) == KindExtent || s.store.walking > 0 ||
		sizeClass(headerSize(h)) != sizeClass(headerSize(to)) {
		return false
	}
	*word(e.block) = to
	copy(unsafe.Slice((*byte)(unsafe.Add(e.block, headerValue(to))), len(value)), value)
	return true
}

// PutInt creates or overwrites an entry with a KindInt.
func (s *Space) PutInt(k Key, n int64, expiry int64, clock uint32) Entry {
	return s.AssignInt(k, s.Find(k), n, expiry, clock)
}

// AssignInt is PutInt for a caller that holds the result of Find(k), found or not.
func (s *Space) AssignInt(k Key, e Entry, n int64, expiry int64, clock uint32) Entry {
	e = s.assign(k, e, shape{KindInt, 8, expiry, clock & clockMask})
	if e.Ok() {
		*word(e.payload()) = uint64(n)
	}
	return e
}

func (s *Space) assignLarge(k Key, e Entry, value []byte, expiry int64, clock uint32) Entry {
	x, kept := s.store.keep(value)
	if !kept {
		handle, err := s.store.newExtent(len(value), len(value))
		if err != nil {
			return Entry{}
		}
		x = s.store.fillExtent(handle, value)
	}
	return s.assignExtent(k, e, x, expiry, clock)
}

func (s *Space) assignExtent(k Key, e Entry, x extent, expiry int64, clock uint32) Entry {
	e = s.assign(k, e, shape{KindExtent, descriptorBytes, expiry, clock & clockMask})
	if !e.Ok() {
		s.store.freeExtent(x.handle)
		return e
	}
	*(*extent)(e.payload()) = x
	return e
}

// assign makes an entry of a shape, in place of e if that is one. The payload
// is for the caller to write.
func (s *Space) assign(k Key, e Entry, x shape) Entry {
	if !e.Ok() {
		if e = s.build(k, x); e.Ok() {
			s.link(k.Place, e.ref, x.expiry)
		}
		return e
	}
	s.preserve(k.Place, e)
	h := e.header()
	s.dropPayload(e)
	if s.rewrite(k, e, h, x) {
		return e
	}
	to := s.reframe(k, e, x)
	s.store.free(e.ref)
	return to
}

// rewrite changes header and expiry in place if the class stays the same.
func (s *Space) rewrite(k Key, e Entry, h uint64, x shape) bool {
	was := e.Expiry()
	flags := h & (flagLongKey | markMask)
	if x.expiry != 0 {
		flags |= flagExpires
	}
	to := flags | uint64(x.payload) | h&(keyMask<<keyShift) | uint64(x.kind)<<kindShift |
		uint64(x.clock)<<clockShift
	if sizeClass(headerSize(h)) != sizeClass(headerSize(to)) {
		return false
	}
	*word(e.block) = to
	if x.expiry != 0 {
		*word(unsafe.Add(e.block, headerBytes+headerKey(h))) = uint64(x.expiry)
	}
	s.retime(k.Place, e.ref, was, x.expiry)
	return true
}

// dropPayload frees the extent of a value.
func (s *Space) dropPayload(e Entry) {
	if e.Kind() == KindExtent {
		s.store.freeExtent((*extent)(e.payload()).handle)
	}
}

// Delete removes a key and tells whether it was there.
func (s *Space) Delete(k Key) bool {
	e := s.Find(k)
	if e.Ok() {
		s.Remove(k, e)
	}
	return e.Ok()
}

// Remove removes a found entry.
func (s *Space) Remove(k Key, e Entry) {
	s.preserve(k.Place, e)
	s.unlink(k.Place, e.ref)
	s.store.freeEntry(e)
}

// freeEntry frees a block and what belongs to it.
func (s *Store) freeEntry(e Entry) {
	h := e.header()
	if h&flagLongKey != 0 {
		s.freeExtent((*extent)(unsafe.Add(e.block, headerBytes)).handle)
	}
	if headerKind(h) == KindExtent {
		s.freeExtent((*extent)(e.payload()).handle)
	}
	s.free(e.ref)
}
