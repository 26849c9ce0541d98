package keyspace

// Blocks come in size classes: 8 bytes apart up to 512, then eight steps to
// each doubling. The blocks of one class fill spans: runs of pages chosen so
// that little is left over at the end.
const (
	minBlock     = 16
	maxBlock     = 22528 // header, key of 4095 bytes, expiry and value of MaxInline
	pageBytes    = 4096
	pageUnits    = pageBytes / 8
	minSpanPages = 4
	maxSpanPages = 16
	spanBins     = 8 // by occupancy
)

// class describes the blocks of one size.
type class struct {
	size   uint32 // bytes
	units  uint16 // size/8
	end    uint16 // units that the blocks of a span fill
	blocks uint16 // in a span
	pages  uint8  // of a span
	scale  uint32 // live*scale>>16 is the bin of a span with that many live blocks
}

// Class numbers that are none. Real ones start at 1.
const (
	classNone   = 0
	classRun    = 0xfe // pages of an extent
	classInside = 0xff // not the first page of its span or run
)

var classes = makeClasses()

// classOf[n] is the class of a block of n units.
var classOf = indexClasses()

func makeClasses() []class {
	all := []class{{}}
	for size := minBlock; size <= maxBlock; size += classStep(size) {
		all = append(all, makeClass(size))
	}
	return all
}

func classStep(size int) int {
	step := 8
	for limit := 512; size >= limit && step < 1024; limit *= 2 {
		step = limit / 8
	}
	return step + step*(size/16384) // coarser above 16 KB
}

func makeClass(size int) class {
	pages, least := 0, maxSpanPages*pageBytes
	for n := minSpanPages; n <= maxSpanPages; n++ {
		waste := n * pageBytes % size * 256 / n
		if n*pageBytes >= size && waste < least {
			pages, least = n, waste
		}
		if least < pageBytes*256/64 { // 1.5% will do
			break
		}
	}
	blocks := pages * pageBytes / size
	return class{
		size: uint32(size), units: uint16(size / 8), end: uint16(blocks * size / 8),
		blocks: uint16(blocks), pages: uint8(pages),
		scale: uint32(spanBins << 16 / blocks),
	}
}

func indexClasses() *[maxBlock/8 + 1]uint8 {
	index := new([maxBlock/8 + 1]uint8)
	c := uint8(1)
	for n := range index {
		if uint32(n*8) > classes[c].size {
			c++
		}
		index[n] = c
	}
	return index
}

// sizeClass gives the class of a block of so many bytes.
func sizeClass(size int) uint8 { return classOf[(size+7)/8] }

// bin tells which list of its class a span with so many live blocks is in.
func (c *class) bin(live uint16) int {
	return int(uint32(live) * c.scale >> 16)
}
