package keyspace

import "unsafe"

// Resize makes the value of a found string n bytes long, zero-filled where it
// grows, and gives it writable. It is also how to change a value in place: n
// may be its length. Integers become text first. The kind becomes KindRaw or
// KindExtent; expiry and clock stay. The result is the zero Entry, and nothing
// has changed, when n is above MaxValue or the system refuses memory.
func (s *Space) Resize(k Key, e Entry, n int) (Entry, []byte) {
	return s.Edit(k, e, n, 0, n)
}

// Edit is Resize for a caller that writes only the bytes from first to end.
func (s *Space) Edit(k Key, e Entry, n, first, end int) (Entry, []byte) {
	s.preserve(k.Place, e)
	if n > MaxInline {
		return s.resizeExtent(k, e, n, first, end)
	}
	var scratch [24]byte
	old, h := e.Value(&scratch), e.header()
	if inline(headerKind(h)) && sizeClass(headerSize(h)-len(old)+n) == sizeClass(headerSize(h)) {
		*word(e.block) = h&^(lenMask|kindMask<<kindShift) | uint64(n) | uint64(KindRaw)<<kindShift
		value := unsafe.Slice((*byte)(e.payload()), n)
		clear(value[min(n, len(old)):])
		return e, value
	}
	to := s.reframe(k, e, shape{KindRaw, n, e.Expiry(), e.Clock()})
	value := unsafe.Slice((*byte)(to.payload()), n)
	clear(value[copy(value, old):])
	s.dropPayload(e)
	s.store.free(e.ref)
	return to, value
}

// inline tells whether the payload is the value.
func inline(k Kind) bool { return k != KindInt && k != KindExtent }

func (s *Space) resizeExtent(k Key, e Entry, n, first, end int) (Entry, []byte) {
	if e.Kind() == KindExtent && s.stretch((*extent)(e.payload()), n, first, end) {
		return e, s.store.extentBytes(e.payload())
	}
	handle, err := s.store.newExtent(n, s.store.growth(n))
	if err != nil {
		return Entry{}, nil
	}
	var scratch [24]byte
	value := unsafe.Slice((*byte)(s.store.extentData(handle)), n)
	kept := copy(value, e.Value(&scratch))
	s.store.touch(handle, kept)
	s.store.zero(handle, kept, n)
	s.store.touch(handle, n)
	return s.assignExtent(k, e, extent{handle, uint64(n)}, e.Expiry(), e.Clock()), value
}

// stretch changes the length of an extent in place if it can, so that the bytes
// from first to end may be written.
func (s *Space) stretch(x *extent, n, first, end int) bool {
	if s.store.shared(x.handle) || s.store.extentRoom(x.handle) < n {
		return false
	}
	s.store.protect(x.handle, first, end)
	s.store.protect(x.handle, x.len(), n)
	s.store.zero(x.handle, x.len(), n)
	s.store.touch(x.handle, n)
	x.size = uint64(n)
	return true
}

// growth is the room for an extent that has grown to n bytes.
func (s *Store) growth(n int) int {
	room := n + n/2
	if room > s.maxRun {
		room = max(room, s.headroom)
	}
	return max(n, min(room, MaxValue))
}

// SetExpiry sets the deadline of a found entry, Unix milliseconds; 0 removes it.
func (s *Space) SetExpiry(k Key, e Entry, at int64) Entry {
	was := e.Expiry()
	if was == at {
		return e
	}
	s.preserve(k.Place, e)
	if was != 0 && at != 0 {
		*word(unsafe.Add(e.block, headerBytes+headerKey(e.header()))) = uint64(at)
		s.retime(k.Place, e.ref, was, at)
		return e
	}
	return s.reshape(k, e, at)
}

// reshape gives an entry an expiry, or takes it away: its payload moves.
func (s *Space) reshape(k Key, e Entry, at int64) Entry {
	h := e.header()
	to := s.reframe(k, e, shape{headerKind(h), headerPayload(h), at, e.Clock()})
	copy(unsafe.Slice((*byte)(to.payload()), headerPayload(h)),
		unsafe.Slice((*byte)(e.payload()), headerPayload(h)))
	s.store.free(e.ref)
	return to
}
