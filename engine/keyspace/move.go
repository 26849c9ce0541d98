package keyspace

import "unsafe"

// Move gives a found entry of one space another key, in the same or another
// space, also one of another Store with the same Memory, replacing what is
// there. Expiry, clock and kind go along. Values above 512 KB are not copied,
// those above MaxInline only from one Store to another. The result is the zero
// Entry, and nothing has changed, when the system refuses memory.
func Move(from *Space, k Key, e Entry, to *Space, k2 Key) Entry {
	if from == to && string(k.Bytes) == string(k2.Bytes) {
		return e
	}
	from.preserve(k.Place, e)
	h := e.header()
	x := shape{headerKind(h), headerPayload(h), e.Expiry(), e.Clock()}
	moved := to.build(k2, x)
	if !moved.Ok() {
		return moved
	}
	if !handOver(from.store, e, to.store, moved) {
		moved.abandon()
		return Entry{}
	}
	to.Delete(k2)
	to.link(k2.Place, moved.ref, x.expiry)
	from.unlink(k.Place, e.ref)
	e.abandon()
	return moved
}

// handOver moves the payload of one entry to another of the same shape.
func handOver(from *Store, e Entry, to *Store, moved Entry) bool {
	n := headerPayload(e.header())
	copy(unsafe.Slice((*byte)(moved.payload()), n), unsafe.Slice((*byte)(e.payload()), n))
	if from == to || e.Kind() != KindExtent {
		return true
	}
	x := (*extent)(moved.payload())
	handle, ok := from.export(*x, to)
	x.handle = handle
	return ok
}

// export takes an extent to another store.
func (s *Store) export(x extent, to *Store) (uint64, bool) {
	if x.handle&ownMapping != 0 && !s.shared(x.handle) && s.mapping(x.handle).pins == 0 {
		return to.adopt(s.disown(x.handle)), true
	}
	handle, err := to.newExtent(x.len(), x.len())
	if err != nil {
		return 0, false
	}
	from := unsafe.Slice((*byte)(s.extentData(x.handle)), x.len())
	to.fillExtent(handle, from)
	s.freeExtent(x.handle)
	return handle, true
}

// abandon frees a block and its key, but not the extent of its value.
func (e Entry) abandon() {
	h := e.header()
	if h&flagLongKey != 0 {
		e.store.freeExtent((*extent)(unsafe.Add(e.block, headerBytes)).handle)
	}
	e.store.free(e.ref)
}
