package keyspace

import (
	"strconv"
	"unsafe"
)

// A block starts with a header word:
//
//	bits  0-15  length of the payload after key and expiry: the value, 8 bytes
//	            of an integer, or the descriptor of an extent
//	bits 16-27  length of the key, or of its descriptor
//	bits 28-31  kind
//	bits 32-39  flags
//	bits 40-63  access clock
//
// Then come the key, the expiry if flagExpires says so, and the payload.
const (
	headerBytes = 8
	lenMask     = 0xffff
	keyShift    = 16
	keyMask     = 0xfff
	kindShift   = 28
	kindMask    = 0xf
	clockShift  = 40

	flagExpires = 1 << 32
	flagLongKey = 1 << 33 // the key is an extent
	flagQueued  = 1 << 34 // a pre-image in the queue of a walk
	markShift   = 36      // one bit for each walk: touched ahead of it
	markMask    = (1<<maxWalks - 1) << markShift
)

// Kinds of blocks that are no entries.
const (
	kindTable = 14
	kindNode  = 15
)

// maxKey is the longest key in a block.
const maxKey = keyMask

// word reads or writes the 8 bytes at p, which need not be aligned.
func word(p unsafe.Pointer) *uint64 { return (*uint64)(p) }

// Entry is a found entry. The zero Entry is none.
type Entry struct {
	block unsafe.Pointer
	store *Store
	ref   uint64
}

// Ok tells whether there is an entry.
func (e Entry) Ok() bool { return e.block != nil }

func (e Entry) header() uint64 { return *word(e.block) }

func headerKind(h uint64) Kind   { return Kind(h >> kindShift & kindMask) }
func headerKey(h uint64) int     { return int(h >> keyShift & keyMask) }
func headerPayload(h uint64) int { return int(h & lenMask) }

// headerValue is the distance of the payload from the block's start.
func headerValue(h uint64) int {
	return headerBytes + headerKey(h) + int(h&flagExpires>>(32-3))
}

// headerSize is the number of bytes that the block needs.
func headerSize(h uint64) int { return headerValue(h) + headerPayload(h) }

func (e Entry) payload() unsafe.Pointer {
	return unsafe.Add(e.block, headerValue(e.header()))
}

// Kind is never KindFree.
func (e Entry) Kind() Kind { return headerKind(e.header()) }

// Key is the key; read only.
func (e Entry) Key() []byte {
	h, p := e.header(), unsafe.Add(e.block, headerBytes)
	if h&flagLongKey != 0 {
		return e.store.extentBytes(p)
	}
	return unsafe.Slice((*byte)(p), headerKey(h))
}

// Expiry is the deadline in Unix milliseconds, 0 for none.
func (e Entry) Expiry() int64 {
	h := e.header()
	if h&flagExpires == 0 {
		return 0
	}
	return int64(*word(unsafe.Add(e.block, headerBytes+headerKey(h))))
}

// Value is the value, contiguous and read only (Space.Resize gives a writable
// one); an integer is formatted into scratch.
func (e Entry) Value(scratch *[24]byte) []byte {
	h := e.header()
	p := unsafe.Add(e.block, headerValue(h))
	switch headerKind(h) {
	case KindInt:
		return strconv.AppendInt(scratch[:0], int64(*word(p)), 10)
	case KindExtent:
		return e.store.extentBytes(p)
	}
	return unsafe.Slice((*byte)(p), headerPayload(h))
}

// Int is the value of a KindInt.
func (e Entry) Int() (int64, bool) {
	if e.Kind() != KindInt {
		return 0, false
	}
	return int64(*word(e.payload())), true
}

// Len is the length of Value.
func (e Entry) Len() int {
	h := e.header()
	switch headerKind(h) {
	case KindInt:
		return decimalLen(int64(*word(e.payload())))
	case KindExtent:
		return (*extent)(e.payload()).len()
	}
	return headerPayload(h)
}

func decimalLen(n int64) int {
	size, u := 1, uint64(n)
	if n < 0 {
		size, u = 2, -u
	}
	for ; u >= 10; u /= 10 {
		size++
	}
	return size
}

// Clock is the 24-bit access clock (LRU or LFU) of the entry.
func (e Entry) Clock() uint32 { return uint32(e.header() >> clockShift) }

// SetClock sets the low 24 bits of the access clock. It invalidates nothing.
func (e Entry) SetClock(clock uint32) {
	h := word(e.block)
	*h = *h&(1<<clockShift-1) | uint64(clock)<<clockShift
}

// wordShare is what an entry takes of its table, in bytes: a word at a usual load.
const wordShare = 10

// Bytes is the memory that the entry takes, its share of the table included.
func (e Entry) Bytes() int {
	h := e.header()
	size := int(classes[sizeClass(headerSize(h))].size) + wordShare
	if h&flagLongKey != 0 {
		size += e.store.extentHeld((*extent)(unsafe.Add(e.block, headerBytes)).handle)
	}
	if headerKind(h) == KindExtent {
		size += e.store.extentHeld((*extent)(e.payload()).handle)
	}
	return size
}
