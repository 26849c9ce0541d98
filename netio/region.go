package netio

import (
	"github.com/elares/ironcache/engine/resp"
)

// A request with a long argument is read into a region of memory of its own,
// which the store keeps where it stores the argument: nothing is copied, and no
// Step handles more than one read. Where mapped memory costs nothing until it
// is written, the region has room for the longest request at once.

// leastRegion is the size, in bytes, from which on a request gets a region.
const leastRegion = 512 << 10

// longest bounds the room of a region, in bytes.
const longest = 2 << 30

// room makes the batch fit for the next read: what is left of a request stays,
// and an argument of known length gets all its room at once.
func (l *Loop) room(b *batch) {
	want := b.end + b.Need
	if b.Need == 0 && b.end == len(b.buf) {
		want = b.end + 1
	}
	if want <= len(b.buf) || want > leastRegion && l.enterRegion(b, want) {
		return
	}
	grown := make([]byte, b.growth(want))
	copy(grown, b.buf[:b.end])
	b.buf = grown
}

// growth is the size for a buffer that needs so much.
func (b *batch) growth(want int) int {
	size := max(2*len(b.buf), readSize)
	for size < want && size < 1<<20 {
		size *= 2
	}
	return max(size, min(want, cap(b.buf)*2), boundedWant(want, b.end))
}

// boundedWant trusts an announced length only as far as bytes have arrived:
// memory for a large argument grows with what the client really sent.
func boundedWant(want, have int) int { return min(want, max(4*have, 1<<20)) }

// enterRegion moves the batch into a region, or into a larger one. It tells
// whether the system had one.
func (l *Loop) enterRegion(b *batch, want int) bool {
	memory, store := l.node.world.Memory, l.node.stores[l.id]
	size := b.growth(want)
	if l.node.sparse {
		size = max(want, int(min(l.cfg.ClientQueryBufferLimit+readSize, longest)))
	}
	const unit = 2 << 20 // neighbours of such sizes lie close together
	page := max(unit, memory.PageSize())
	if !l.node.sparse {
		page = memory.PageSize()
	}
	region, soiled, err := store.Region((size+page-1)/page*page, want)
	if err != nil {
		return false
	}
	soiled = max(soiled, copy(region, b.buf[:b.end]))
	l.leaveRegion(b)
	b.region, b.buf, b.soiled = region, region, soiled
	return true
}

// leaveRegion gives the batch's region back. The batch has no buffer then.
func (l *Loop) leaveRegion(b *batch) {
	if b.region != nil {
		l.node.stores[l.id].GiveBack(b.region, b.soiled)
	}
	b.region, b.buf = nil, nil
}

// space is where the next read goes. A region takes nothing that lies behind
// the argument being read.
func (b *batch) space() []byte {
	if b.region == nil {
		return b.buf[b.end:]
	}
	n := b.Need
	if n == 0 {
		n = readSize
	}
	return b.buf[b.end:min(len(b.buf), b.end+n)]
}

// took notes that n bytes have come.
func (l *Loop) took(b *batch, n int) {
	b.end += n
	if b.region != nil && b.end > b.soiled {
		l.node.stores[l.id].Soil(b.end - b.soiled)
		b.soiled = b.end
	}
}

// held is the memory of the buffer, in bytes, as far as it was written.
func (b *batch) held() int {
	if b.region != nil {
		return b.soiled
	}
	return len(b.buf)
}

// mapped is the part of it that lies in a region.
func (b *batch) mapped() int {
	if b.region == nil {
		return 0
	}
	return b.held()
}

// limitsIn are the limits for a batch: in a region, requests come one by one,
// so that what lies behind one can be moved away before it runs.
func (l *Loop) limitsIn(c *Conn, b *batch) *resp.Limits {
	limits := l.limits(c)
	if b.region == nil {
		return limits
	}
	one := *limits
	one.Requests = 1
	return &one
}

// lend prepares the batch for a request that may keep its region.
func (b *batch) lend() {
	if b.region != nil {
		b.lent = true
		b.tail = append(b.tail[:0], b.buf[b.Pos:b.end]...)
	}
}

// settleLoan goes on without the region if the request has kept it.
func (b *batch) settleLoan() {
	if b.lent && b.region == nil {
		b.buf = make([]byte, readSize)
		b.Pos, b.end = 0, copy(b.buf, b.tail)
	}
	b.lent = false
}
