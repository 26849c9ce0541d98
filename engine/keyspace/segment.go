package keyspace

import "math/bits"

// A segment is the entries of one leaf: those whose Places share its depth
// bits. It splits in two by the next bit when its largest table is full, and
// two siblings with few entries merge. Only a split reads keys.

func (s *Store) table(ref uint64) *table { return (*table)(s.at(ref)) }

// makeRoom lets one more word into the segment of a leaf.
func (s *Space) makeRoom(place, c uint64) {
	step, depth := stepOf(c), depthOf(c)
	switch {
	case step == 0:
		s.startTable(place, depth)
	case step < lastStep || depth >= maxDepth:
		s.regrow(place, c, step+1)
	default:
		s.split(c)
	}
}

// startTable gives a segment without entries its first table.
func (s *Space) startTable(place uint64, depth uint) {
	ref, t := s.newTable(1, depth, place&^suffix(depth))
	s.enlist(ref, t)
	s.lead(place, depth, leafCell(ref, depth, 1))
}

// regrow gives a segment a table of at least that step.
func (s *Space) regrow(place, c uint64, step uint) {
	ref, t := s.rebuild(c&refMask, step)
	s.moved(ref, t)
	s.lead(place, depthOf(c), leafCell(ref, depthOf(c), t.step()))
}

// splitter holds what a split works on.
type splitter struct {
	from  [2816]uint64
	sides [2][]uint64
}

// split replaces a leaf by two of one bit more: the first bit in which the
// Places of its entries differ, so that keys are read once, whatever they share.
func (s *Space) split(c uint64) {
	shared, place := s.store.table(c & refMask).shared()
	for range shared {
		c = s.deepen(place, c)
	}
	s.reach(place, c)
	depth, ref := depthOf(c), c&refMask
	t := s.store.table(ref)
	left, right := s.divide(t, depth)
	due, prefix := t.due, place&^suffix(depth)
	s.strike(t)
	s.freeTable(ref, t)
	bit := uint64(1) << (63 - depth)
	s.plant(prefix, depth+1, left, due)
	s.plant(prefix|bit, depth+1, right, due)
	s.leaves++
}

// shared is how many further bits all entries of a segment share, as far as
// the window shows and a split may go, and a Place that shares them too.
func (t *table) shared() (n uint, place uint64) {
	all, any := uint64(tagMask), uint64(0)
	for _, w := range t.words() {
		if w != 0 {
			tag := unmix(w >> tagShift)
			all, any = all&tag, any|tag
		}
	}
	depth := t.depth()
	start := min(depth, maxWindow)
	n = uint(bits.LeadingZeros64(all^any)) - tagShift - (depth - start)
	return min(n, tagBits-1, maxDepth-1-depth), t.prefix | all<<(maxWindow-start)
}

// deepen makes a leaf share one bit more, with an empty sibling. The tags of
// its words remain for split to make anew.
func (s *Space) deepen(place, c uint64) uint64 {
	s.reach(place, c)
	depth := depthOf(c) + 1
	c = leafCell(c&refMask, depth, stepOf(c))
	s.lead(place, depth, c)
	s.lead(place^1<<(64-depth), depth, leafCell(emptyTable, depth, 0))
	s.leaves++
	return c
}

// divide gives the words of both halves of a segment, with their tags for one
// more bit of depth.
func (s *Space) divide(t *table, depth uint) (left, right []uint64) {
	x := &s.store.scratch
	x.sides[0], x.sides[1] = x.sides[0][:0], x.sides[1][:0]
	words := x.from[:0]
	for _, w := range t.words() {
		if w != 0 {
			words = append(words, w)
		}
	}
	for i, w := range words {
		if i+splitAhead < len(words) {
			prefetch(s.store.at(words[i+splitAhead] & refMask))
		}
		at := s.placeOf(w & refMask)
		side := at << (depth & 63) >> 63
		w = w&(wordExpire|refMask) | mix(window(at, depth+1))<<tagShift
		x.sides[side] = append(x.sides[side], w)
	}
	return x.sides[0], x.sides[1]
}

// splitAhead is how many blocks are fetched ahead of their use.
const splitAhead = 12

// placeOf computes the Place of an entry from its key.
func (s *Space) placeOf(ref uint64) uint64 {
	return s.store.hash.Place(s.store.entry(ref).Key())
}

func (s *Store) entry(ref uint64) Entry { return Entry{s.at(ref), s, ref} }

// plant makes a leaf that holds the words.
func (s *Space) plant(prefix uint64, depth uint, words []uint64, due int64) {
	if len(words) == 0 {
		s.lead(prefix, depth, leafCell(emptyTable, depth, 0))
		return
	}
	ref, t := s.newTable(stepFor(len(words)), depth, prefix)
	for !t.insertAll(words) {
		step := t.step() + 1
		s.freeTable(ref, t)
		ref, t = s.newTable(step, depth, prefix)
	}
	t.count = uint16(len(words))
	for _, w := range words {
		t.expire += uint16(w & wordExpire / wordExpire)
	}
	if t.expire > 0 {
		t.due = due
	}
	s.enlist(ref, t)
	s.lead(prefix, depth, leafCell(ref, depth, t.step()))
}

// shrink follows the removal of a word from a segment that has become sparse:
// it merges it with its sibling, or gives it a smaller table, or none.
func (s *Space) shrink(place uint64) {
	for s.merge(place) {
	}
	c := s.leaf(place)
	t := s.store.table(c & refMask)
	switch {
	case stepOf(c) == 0:
	case t.count == 0:
		s.strike(t)
		s.freeTable(c&refMask, t)
		s.lead(place, depthOf(c), leafCell(emptyTable, depthOf(c), 0))
	case t.count < sizes[t.step()].low:
		s.regrow(place, c, stepFor(int(t.count)))
	}
	s.narrow()
}

// merge joins the segment of a Place with its sibling when both are sparse.
func (s *Space) merge(place uint64) bool {
	c := s.leaf(place)
	depth := depthOf(c)
	if depth == 0 {
		return false
	}
	bit := uint64(1) << (64 - depth)
	prefix := place &^ suffix(depth-1)
	left, right := s.leaf(prefix), s.leaf(prefix|bit)
	if depthOf(left) != depthOf(right) {
		return false
	}
	l, r := s.store.table(left&refMask), s.store.table(right&refMask)
	if l.count+r.count >= mergeBelow {
		return false
	}
	s.join(prefix, depth-1, left, right)
	return true
}

func (s *Space) join(prefix uint64, depth uint, left, right uint64) {
	x := &s.store.scratch
	words, due := x.from[:0], int64(never)
	for side, c := range [...]uint64{left, right} {
		t := s.store.table(c & refMask)
		due = min(due, t.due)
		words = raiseWords(words, t, depth, uint64(side))
		if stepOf(c) != 0 {
			s.strike(t)
			s.freeTable(c&refMask, t)
		}
	}
	s.leaves--
	s.collapse(prefix, depth)
	s.plant(prefix, depth, words, due)
}

// raiseWords appends the words of a table with their tags for a bit less of
// depth, which is the side.
func raiseWords(to []uint64, t *table, depth uint, side uint64) []uint64 {
	for _, w := range t.words() {
		if w == 0 {
			continue
		}
		if depth < maxWindow {
			tag := unmix(w>>tagShift)>>1 | side<<(tagBits-1)
			w = w&(wordExpire|refMask) | mix(tag)<<tagShift
		}
		to = append(to, w)
	}
	return to
}

// collapse removes the node that would be left with a single leaf.
func (s *Space) collapse(prefix uint64, depth uint) {
	cells, base, width := s.array(prefix, depth)
	if c := cells[index(prefix, base, width)]; c&cellNode != 0 {
		s.lead(prefix, depth, leafCell(emptyTable, depth, 0))
		s.freeNode(c)
	}
}

// narrow makes a root smaller that has become far too wide.
func (s *Space) narrow() {
	if width := s.width(); width > 6 && 1<<width > 16*max(64, s.count/8) {
		s.reroot(width - 3)
	}
}
