package keyspace

import (
	"errors"
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/elares/ironcache/sim/env"
)

// maxChunkPages is the number of pages of the largest chunk, 2 MB.
const maxChunkPages = 512

// chunkBins: chunks are listed by the logarithm of their longest free run.
const chunkBins = 10

// bitmap has one bit for each page of a chunk.
type bitmap [maxChunkPages / 64]uint64

// chunk says which pages of a chunk are taken. It lives outside the Go heap and
// apart from the chunk, followed by the pages' records.
type chunk struct {
	used    bitmap // also set for pages on their way to the system
	dirty   bitmap // free pages that hold memory; the others cost nothing
	free    uint16 // pages not used
	longest uint16 // longest run of them
	next    uint32 // neighbours in the list of its bin: chunk number + 1
	prev    uint32
	_       uint32
}

// page is the record of a span or run in its first page. In the others only
// class and carved are set.
type page struct {
	free   uint16 // first free block: 1 + its distance from the span's start in units; 0 none
	live   uint16 // blocks in use
	carved uint16 // units handed out so far; in a later page: distance from the first
	class  uint8
	pages  uint8  // of the span or run; heldSpan is added when no list has it
	next   uint32 // neighbours in the list of its bin: page numbers, 0 none
	prev   uint32
}

const (
	chunkSize = unsafe.Sizeof(chunk{})
	pageSize  = unsafe.Sizeof(page{})
)

// pages hands out runs of pages from chunks.
type pages struct {
	mem      env.Memory
	base     []unsafe.Pointer // of chunks; nil when the number is vacant
	meta     []unsafe.Pointer // *chunk, kept when the number is vacant
	shift    uint             // chunk number = ref >> shift
	mask     uint64           // of the units within a chunk
	perChunk int              // pages
	vacant   []uint32         // chunk numbers without memory
	bins     [chunkBins]uint32
	empty    int    // chunks without a used page
	carve    []byte // rest of the region that records come from
	regions  [][]byte
	sweep    uint32 // where trim looks next
	held     int64  // bytes of used and dirty pages, and of records
	idle     int64  // bytes of dirty pages
	outgoing
}

func (p *pages) open(mem env.Memory, chunkBytes int, aside func(Release) bool) error {
	p.mem, p.aside = mem, aside
	p.perChunk = chunkBytes / pageBytes
	p.shift = uint(bits.TrailingZeros(uint(chunkBytes / 8)))
	p.mask = 1<<p.shift - 1
	return p.addChunk()
}

// at is the address of a block.
func (p *pages) at(ref uint64) unsafe.Pointer {
	return unsafe.Add(p.base[ref>>(p.shift&63)], (ref&p.mask)<<3)
}

func (p *pages) chunk(n uint32) *chunk { return (*chunk)(p.meta[n]) }

// record gives the record of a page.
func (p *pages) record(n uint32) *page {
	at := uint64(n) * pageUnits
	in := (at & p.mask) / pageUnits
	return (*page)(unsafe.Add(p.meta[at>>(p.shift&63)], chunkSize+uintptr(in)*pageSize))
}

// take finds a run of n pages and gives the number of the first. The pages
// hold whatever was there.
func (p *pages) take(n int) (uint32, error) {
	p.Soil(n * pageBytes)
	for bin := log2(n); bin < chunkBins; bin++ {
		c := p.bins[bin]
		for tries := 0; c != 0 && tries < 4; tries++ {
			if int(p.chunk(c-1).longest) >= n {
				return p.takeFrom(c-1, n), nil
			}
			c = p.chunk(c - 1).next
		}
	}
	if err := p.addChunk(); err != nil {
		return 0, err
	}
	return p.take(n)
}

func log2(n int) int { return bits.Len(uint(n)) - 1 }

func (p *pages) takeFrom(number uint32, n int) uint32 {
	c := p.chunk(number)
	if int(c.free) == p.perChunk {
		p.empty--
	}
	first := c.used.run(p.perChunk, n)
	p.idle -= int64(c.dirty.count(first, n)) * pageBytes
	p.held += int64(n-c.dirty.count(first, n)) * pageBytes
	c.used.set(first, n)
	c.dirty.clear(first, n)
	p.relist(number, int(c.free)-n)
	return number*uint32(p.perChunk) + uint32(first)
}

// give takes a run of n pages back.
func (p *pages) give(first uint32, n int) {
	number, in := first/uint32(p.perChunk), int(first)%p.perChunk
	c := p.chunk(number)
	c.dirty.set(in, n)
	p.idle += int64(n) * pageBytes
	p.freed(number, in, n)
}

// freed makes pages available. Of chunks that are empty one is kept.
func (p *pages) freed(number uint32, first, n int) {
	c := p.chunk(number)
	c.used.clear(first, n)
	p.relist(number, int(c.free)+n)
	if int(c.free) < p.perChunk {
		return
	}
	p.empty++
	if p.empty > 1 {
		p.dropChunk(number)
	}
}

// relist notes the number of free pages and puts the chunk into its list.
func (p *pages) relist(number uint32, free int) {
	c := p.chunk(number)
	was := c.longest
	c.free, c.longest = uint16(free), uint16(c.used.longest(p.perChunk))
	if was != 0 && c.longest != 0 && log2(int(was)) == log2(int(c.longest)) {
		return
	}
	if was != 0 {
		p.unlist(c, log2(int(was)))
	}
	if c.longest != 0 {
		p.list(number, c)
	}
}

func (p *pages) list(number uint32, c *chunk) {
	head := &p.bins[log2(int(c.longest))]
	c.prev, c.next = 0, *head
	if *head != 0 {
		p.chunk(*head - 1).prev = number + 1
	}
	*head = number + 1
}

func (p *pages) unlist(c *chunk, bin int) {
	if c.next != 0 {
		p.chunk(c.next - 1).prev = c.prev
	}
	if c.prev != 0 {
		p.chunk(c.prev - 1).next = c.next
	} else {
		p.bins[bin] = c.next
	}
}

// addChunk gets memory for a vacant or a further chunk number.
func (p *pages) addChunk() error {
	region, err := p.mem.Map(p.perChunk * pageBytes)
	if err != nil {
		return fmt.Errorf("keyspace: map a chunk of %d bytes: %w", p.perChunk*pageBytes, err)
	}
	number, err := p.number()
	if err != nil {
		p.mem.Unmap(region)
		return err
	}
	p.base[number] = unsafe.Pointer(unsafe.SliceData(region))
	c := p.chunk(number)
	*c = chunk{}
	p.empty++
	p.relist(number, p.perChunk)
	return nil
}

// errStoreFull says that refs reach no further: 512 GB.
var errStoreFull = errors.New("keyspace: the store is full")

// number finds a chunk number that has records but no memory.
func (p *pages) number() (uint32, error) {
	if last := len(p.vacant) - 1; last >= 0 {
		n := p.vacant[last]
		p.vacant = p.vacant[:last]
		return n, nil
	}
	if uint64(len(p.base)) > refMask>>p.shift {
		return 0, errStoreFull
	}
	size := int(chunkSize) + p.perChunk*int(pageSize)
	if len(p.carve) < size {
		region, err := p.mem.Map(roundUp(32*size, max(pageBytes, p.mem.PageSize())))
		if err != nil {
			return 0, fmt.Errorf("keyspace: map page records: %w", err)
		}
		p.carve = region
		p.regions = append(p.regions, region)
	}
	p.meta = append(p.meta, unsafe.Pointer(unsafe.SliceData(p.carve)))
	p.base = append(p.base, nil)
	p.carve = p.carve[size:]
	p.held += int64(size)
	return uint32(len(p.base) - 1), nil
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// dropChunk returns the memory of a chunk without used pages.
func (p *pages) dropChunk(number uint32) {
	c := p.chunk(number)
	p.unlist(c, log2(int(c.longest)))
	dirty := int64(c.dirty.count(0, p.perChunk)) * pageBytes
	p.held -= dirty
	p.idle -= dirty
	p.empty--
	region := p.bytes(number, 0, p.perChunk)
	p.base[number] = nil
	p.vacant = append(p.vacant, number)
	soiled := len(region)
	if dirty == 0 {
		soiled = 0
	}
	p.release(Release{part: region, soiled: soiled, whole: true})
}

func (p *pages) bytes(number uint32, first, n int) []byte {
	start := unsafe.Add(p.base[number], first*pageBytes)
	return unsafe.Slice((*byte)(start), n*pageBytes)
}

// trim sends one run of idle pages, of the next chunk that has any, back to the
// system. It tells whether it found one within a few chunks.
func (p *pages) trim() bool {
	for range min(len(p.base), 64) {
		if p.sweep++; int(p.sweep) >= len(p.base) {
			p.sweep = 0
		}
		if p.base[p.sweep] != nil && p.trimChunk(p.sweep) {
			return true
		}
	}
	return false
}

func (p *pages) trimChunk(number uint32) bool {
	c := p.chunk(number)
	unit := max(1, p.mem.PageSize()/pageBytes)
	first, n := c.dirty.firstRun(p.perChunk, unit)
	if n == 0 {
		return false
	}
	if int(c.free) == p.perChunk {
		p.empty--
	}
	c.dirty.clear(first, n)
	c.used.set(first, n)
	p.relist(number, int(c.free)-n)
	p.idle -= int64(n) * pageBytes
	p.held -= int64(n) * pageBytes
	part := p.bytes(number, first, n)
	p.release(Release{part: part, soiled: len(part), first: number*uint32(p.perChunk) + uint32(first)})
	return true
}

// close returns everything at once.
func (p *pages) close() {
	for number, base := range p.base {
		if base != nil {
			p.mem.Unmap(p.bytes(uint32(number), 0, p.perChunk))
		}
	}
	for _, region := range p.regions {
		p.mem.Unmap(region)
	}
	*p = pages{}
}
