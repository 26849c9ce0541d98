package keyspace

import (
	"math"
	"unsafe"
)

// A table holds the words of one segment. It is a block like others, so that
// it can be moved and counted like others.
//
// A word is tag<<37 | expires<<36 | ref. The tag is a window of 27 bits of the
// entry's Place, right below the segment's depth, mixed by a bijection. Words
// are kept in the order of their tags: a word's home is in proportion to its
// tag, it lies at its home or later, and only free words interrupt the order.
// So a search ends at the first larger tag, growing is one pass in order which
// reads no keys, and removal shifts the words behind it back.
// (Ordered linear probing: Amble and Knuth, "Ordered hash tables", 1974.)
type table struct {
	head   uint64 // kindTable, id of the space, step, depth
	prefix uint64 // the lowest Place of the segment
	due    int64  // no entry is due before: Unix milliseconds, math.MaxInt64 none
	count  uint16 // words
	expire uint16 // words with an expiry
	index  uint32 // where the segment is in the agenda of its space
}

const (
	tableBytes = int(unsafe.Sizeof(table{}))
	tagBits    = 27
	tagShift   = 64 - tagBits
	tagMask    = 1<<tagBits - 1
	wordExpire = 1 << 36
	refMask    = 1<<36 - 1

	// maxWindow is the depth from which on the window stays where it is, at the
	// end of the Place.
	maxWindow = 64 - tagBits

	// maxDepth is where segments no longer split.
	maxDepth = 50

	mixer   = 0x5851f2d // odd, so that multiplying by it modulo 2^27 is a bijection
	never   = math.MaxInt64
	maxStep = 17
)

// unmixer inverts mixer modulo 2^27, by Newton's iteration.
var unmixer = func() uint64 {
	x := uint64(mixer)
	for range 5 {
		x *= 2 - mixer*x
	}
	return x & tagMask
}()

// size is a step in the growth of tables.
type size struct {
	class uint8
	words uint16 // the last is always free and ends every search
	homes uint16 // homes are below, the rest takes what is displaced
	limit uint16 // most words in use where the segment can grow or split
	low   uint16 // with fewer words the table should shrink
}

// lastStep is that of the fullest segment; tables beyond are for entries that
// no further bit of the Place tells apart.
const lastStep = 13

const (
	maxWords   = 512 // of a segment that can split
	mergeBelow = 224 // words of two siblings that become one segment
)

var sizes = makeSizes()

func makeSizes() (all [cellField + 1]size) {
	for step, units := range [...]int{4, 8, 16, 32, 64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 1024, 1536, 2048, 2816} {
		words := units - tableBytes/8
		homes := words - words/32 - min(words/12, 4) - 1
		if step > lastStep {
			homes = words / 4
		}
		all[step] = size{
			class: sizeClass(units * 8), words: uint16(words), homes: uint16(max(homes, 0)),
			limit: uint16(min(words*13/16, maxWords)),
		}
		if step > 1 {
			all[step].low = all[step-1].limit / 2
		}
	}
	all[0] = size{}
	return all
}

func mix(tag uint64) uint64   { return tag * mixer & tagMask }
func unmix(tag uint64) uint64 { return tag * unmixer & tagMask }

// window gives the unmixed tag of a Place in a segment of some depth.
func window(place uint64, depth uint) uint64 {
	return place << (min(depth, maxWindow) & 63) >> tagShift
}

// home is where the search for a tag starts.
func (z *size) home(tag uint64) int { return int(tag * uint64(z.homes) >> tagBits) }

const (
	headSpace = 0  // 16 bits
	headStep  = 16 // 8 bits, below the kind
	headDepth = 32 // 8 bits
)

func tableHead(space uint16, step, depth uint) uint64 {
	return kindTable<<kindShift | uint64(space)<<headSpace | uint64(step)<<headStep | uint64(depth)<<headDepth
}

func (t *table) step() uint    { return uint(t.head >> headStep & 0xff) }
func (t *table) depth() uint   { return uint(t.head >> headDepth & 0xff) }
func (t *table) space() uint16 { return uint16(t.head >> headSpace) }

// at is the address of a word.
func (t *table) at(i int) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(t), tableBytes+i*8))
}

// words are all the words of a table.
func (t *table) words() []uint64 {
	return unsafe.Slice(t.at(0), int(sizes[t.step()].words))
}

// insert puts a word into its place. It fails when the words displaced behind
// it reach the end; nothing has changed then.
func (t *table) insert(z *size, w uint64) bool {
	words := t.words()
	i := z.home(w >> tagShift)
	for words[i] != 0 && words[i]>>tagShift <= w>>tagShift {
		i++
	}
	end := i
	for words[end] != 0 {
		end++
	}
	if end+1 >= len(words) {
		return false
	}
	copy(words[i+1:end+1], words[i:end])
	words[i] = w
	return true
}

// insertAll puts words into a table, or fails when they do not fit.
func (t *table) insertAll(words []uint64) bool {
	z := &sizes[t.step()]
	for _, w := range words {
		if !t.insert(z, w) {
			return false
		}
	}
	return true
}

// find gives the index of the word with that ref and tag; there is one.
func (t *table) find(tag, ref uint64) int {
	i := sizes[t.step()].home(tag)
	for *t.at(i)&refMask != ref {
		i++
	}
	return i
}

// remove frees a word and shifts back those behind it that are not at home.
func (t *table) remove(i int) {
	words, z := t.words(), &sizes[t.step()]
	for words[i+1] != 0 && z.home(words[i+1]>>tagShift) <= i {
		words[i] = words[i+1]
		i++
	}
	words[i] = 0
}

// fill spreads words, which are in order, over an empty table. It fails when
// they reach the end.
func (t *table) fill(from []uint64) bool {
	to, z, next := t.words(), &sizes[t.step()], 0
	for _, w := range from {
		if w == 0 {
			continue
		}
		next = max(next, z.home(w>>tagShift))
		if next+1 >= len(to) {
			return false
		}
		to[next] = w
		next++
	}
	return true
}

// stepFor is the step for a table that shall hold n words, and some more if it can.
func stepFor(n int) uint {
	step := uint(1)
	for step < lastStep && int(sizes[step].limit) < n+n/8+1 {
		step++
	}
	return step
}

// newTable makes an empty table.
func (s *Space) newTable(step, depth uint, prefix uint64) (uint64, *table) {
	ref := s.store.alloc(sizes[step].class)
	t := (*table)(s.store.at(ref))
	*t = table{head: tableHead(s.id, step, depth), prefix: prefix, due: never}
	clear(t.words())
	s.store.tables += int64(classes[sizes[step].class].size)
	return ref, t
}

func (s *Space) freeTable(ref uint64, t *table) {
	s.store.tables -= int64(classes[sizes[t.step()].class].size)
	s.store.free(ref)
}

// rebuild copies the words into a table of at least that step, and frees the
// old table.
func (s *Space) rebuild(ref uint64, step uint) (uint64, *table) {
	old := (*table)(s.store.at(ref))
	for ; ; step++ {
		to, t := s.newTable(step, old.depth(), old.prefix)
		if t.fill(old.words()) {
			t.due, t.count, t.expire, t.index = old.due, old.count, old.expire, old.index
			s.freeTable(ref, old)
			return to, t
		}
		s.freeTable(to, t)
		if step == maxStep {
			panic("keyspace: too many keys share one hash")
		}
	}
}
