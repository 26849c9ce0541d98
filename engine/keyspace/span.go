package keyspace

import (
	"math/bits"

	"github.com/elares/ironcache/sim/env"
)

// heldSpan marks a span that no list has: the one that blocks come from, a full
// one, or one that is being emptied.
const heldSpan = 0x80

// spans of one class.
type spans struct {
	current uint32 // the span that blocks come from; page number, 0 none
	mask    uint32 // bins that are not empty
	bins    [spanBins]uint32
	count   uint32 // spans
	live    uint64 // blocks
}

// arena hands out blocks. A block is named by its ref: its distance from the
// start of all chunks in units of 8 bytes. The first word of a free block has
// KindFree, so that a walk over a span can tell.
type arena struct {
	pages
	account   *account
	byClass   []spans
	spanHeld  int64  // bytes of all spans
	spanLive  int64  // bytes of the blocks in use
	moves     uint64 // grows when a block is freed and when a space loses its blocks
	evacuate  uint32 // span that compaction empties; 0 none
	evacuated uint16 // units of it that are done
	stuck     bool   // the last one held pre-images, which stay
}

// emptyTable is the ref of a table without room, all zero: what a cell refers
// to when its segment holds no keys.
const emptyTable = 8

func (a *arena) open(opts Options, mem env.Memory, account *account, aside func(Release) bool) error {
	a.account = account
	a.byClass = make([]spans, len(classes))
	if err := a.pages.open(mem, opts.ChunkBytes, aside); err != nil {
		return err
	}
	// The first page holds the null ref and the empty table.
	first, err := a.take(1)
	*a.record(first) = page{class: classRun, pages: 1, carved: 0xffff}
	return err
}

// alloc gives a block; its bytes are whatever was there.
func (a *arena) alloc(c uint8) uint64 {
	s, k := &a.byClass[c], &classes[c]
	a.account.live += int64(k.size)
	a.spanLive += int64(k.size)
	s.live++
	for {
		p := a.record(s.current)
		start := uint64(s.current) * pageUnits
		if p.free != 0 {
			ref := start + uint64(p.free-1)
			p.free = uint16(*word(a.at(ref)))
			p.live++
			return ref
		}
		if p.carved < k.end {
			ref := start + uint64(p.carved)
			p.carved += k.units
			p.live++
			return ref
		}
		a.refill(c, s)
	}
}

// refill makes the fullest span that has room the current one.
func (a *arena) refill(c uint8, s *spans) {
	if s.mask == 0 {
		s.current = a.addSpan(c)
		return
	}
	s.current = s.bins[bits.Len32(s.mask)-1]
	a.unlistSpan(s, a.record(s.current), &classes[c])
}

func (a *arena) addSpan(c uint8) uint32 {
	n := int(classes[c].pages)
	first, err := a.take(n)
	if err != nil {
		panic(err)
	}
	for i := 1; i < n; i++ {
		*a.record(first + uint32(i)) = page{class: classInside, carved: uint16(i)}
	}
	*a.record(first) = page{class: c, pages: uint8(n) | heldSpan}
	a.byClass[c].count++
	a.spanHeld += int64(n) * pageBytes
	return first
}

// spanOf finds the span of a block.
func (a *arena) spanOf(ref uint64) (uint32, *page) {
	n := uint32(ref / pageUnits)
	p := a.record(n)
	if p.class == classInside {
		n -= uint32(p.carved)
		p = a.record(n)
	}
	return n, p
}

// free takes a block back.
func (a *arena) free(ref uint64) {
	n, p := a.spanOf(ref)
	s, k := &a.byClass[p.class], &classes[p.class]
	*word(a.at(ref)) = uint64(p.free)
	p.free = uint16(ref-uint64(n)*pageUnits) + 1
	p.live--
	s.live--
	a.moves++
	a.account.live -= int64(k.size)
	a.spanLive -= int64(k.size)
	if p.pages&heldSpan == 0 {
		a.sparser(n, p, s, k)
	} else if n != s.current && n != a.evacuate {
		a.listSpan(n, p, s, k) // it was full
	}
}

// sparser moves a listed span, which has just lost a block, to where it belongs.
func (a *arena) sparser(n uint32, p *page, s *spans, k *class) {
	if p.live != 0 && k.bin(p.live) == k.bin(p.live+1) {
		return
	}
	p.live++
	a.unlistSpan(s, p, k)
	p.live--
	a.listSpan(n, p, s, k)
}

// listSpan puts a held span into the list for its occupancy; an empty one goes
// back to the pages.
func (a *arena) listSpan(n uint32, p *page, s *spans, k *class) {
	if p.live == 0 {
		a.dropSpan(n, p, s, k)
		return
	}
	bin := k.bin(p.live)
	p.pages &^= heldSpan
	p.prev, p.next = 0, s.bins[bin]
	if p.next != 0 {
		a.record(p.next).prev = n
	}
	s.bins[bin] = n
	s.mask |= 1 << bin
}

func (a *arena) unlistSpan(s *spans, p *page, k *class) {
	bin := k.bin(p.live)
	p.pages |= heldSpan
	if p.next != 0 {
		a.record(p.next).prev = p.prev
	}
	if p.prev != 0 {
		a.record(p.prev).next = p.next
		return
	}
	s.bins[bin] = p.next
	if p.next == 0 {
		s.mask &^= 1 << bin
	}
}

func (a *arena) dropSpan(n uint32, p *page, s *spans, k *class) {
	s.count--
	a.spanHeld -= int64(k.pages) * pageBytes
	p.class = classNone
	a.give(n, int(k.pages))
}
