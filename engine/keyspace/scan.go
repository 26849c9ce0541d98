package keyspace

import (
	"slices"

	"github.com/elares/ironcache/sim/invariant"
)

// A scan goes through the segments in the order of Places, and through each
// segment in the order of its unmixed tags, which is the same order as far as
// the window reaches. Whatever happens to segments in between, all Places below
// the cursor have been reported.

const (
	cursorShift = 12 // a cursor is the upper 52 bits of a Place
	cursorBits  = 64 - cursorShift
	maxCursor   = 1 << cursorBits
)

// Scan calls fn for about count entries from the cursor on and gives the next
// cursor, 0 at the end. A cursor is slot<<38 | 38 bits of the hash; it stays
// valid for ever. Every key that is there throughout a whole scan is reported
// at least once. A cursor of 2^52 or more ends the scan. fn changes nothing,
// and neither scans nor samples.
func (s *Space) Scan(cursor uint64, count int, fn func(Entry)) uint64 {
	if cursor >= maxCursor {
		return 0
	}
	place := cursor << cursorShift
	count = max(count, 1)
	for visits := count + 64; count > 0 && visits > 0; visits-- {
		words, next := s.run(place, count, cursorBits)
		for _, w := range words {
			fn(s.store.entry(w & refMask))
		}
		count -= len(words)
		if place = next; next == 0 {
			return 0
		}
	}
	return place >> cursorShift
}

// run gives the first entries from a Place on, in order: about n, all of one
// segment, as unmixed tag<<tagShift | ref. Entries whose Places agree in the
// first bits, or as far as the segment's window reaches, are not separated.
// All Places below next, which is 0 at the end, are done then.
func (s *Space) run(place uint64, n int, precision uint) (words []uint64, next uint64) {
	c := s.leaf(place)
	depth := depthOf(c)
	end := (place | suffix(depth)) + 1
	t := s.store.table(c & refMask)
	if t.count == 0 {
		return nil, end
	}
	start := min(depth, maxWindow)
	grain := uint(max(0, int(start+tagBits)-int(precision)))
	words = s.nearest(place, c, n, grain)
	if len(words) <= n {
		return words, end
	}
	last := words[n-1] >> tagShift >> grain
	for n < len(words) && words[n]>>tagShift>>grain == last {
		n++
	}
	return words[:n], place&^suffix(start) + (last+1)<<grain<<(maxWindow-start)
}

// notBefore leaves out what lies below a Place. The window shows that unless
// segments have merged since the Place was a boundary; then keys tell.
func (s *Space) notBefore(place, c uint64, words []uint64) []uint64 {
	kept := words[:0]
	for _, w := range words {
		if placeIn(place, c, w) >= place || s.placeOf(w&refMask) >= place {
			kept = append(kept, w)
		}
	}
	return kept
}

// nearest gives the words from a Place on with their tags unmixed, in order: all
// below some multiple of 2^grain, more than n of them unless there are no more.
func (s *Space) nearest(place, c uint64, n int, grain uint) []uint64 {
	t := s.store.table(c & refMask)
	from := window(place, depthOf(c)) >> grain << grain
	reach := uint64(1<<tagBits) * uint64(n+8) / uint64(t.count)
	for {
		to := (from + reach + 1<<grain) >> grain << grain
		words := s.store.scratch.from[:0]
		for _, w := range t.words() {
			if tag := unmix(w >> tagShift); w != 0 && tag >= from && tag < to {
				words = append(words, tag<<tagShift|w&(wordExpire|refMask))
			}
		}
		words = s.notBefore(place, c, words)
		if len(words) > n || to>>tagBits != 0 {
			slices.Sort(words)
			return words
		}
		reach *= 4
	}
}

// placeIn is the lowest Place of a word of run, for a Place of its segment.
func placeIn(place, c, w uint64) uint64 {
	start := min(depthOf(c), maxWindow)
	return place&^suffix(start) | w>>tagShift<<(maxWindow-start)
}

// SlotKeys calls fn for up to n entries of a slot. fn changes nothing.
func (s *Space) SlotKeys(slot uint16, n int, fn func(Entry)) {
	s.eachOfSlot(slot, n, func(w uint64) { fn(s.store.entry(w & refMask)) })
}

func (s *Space) eachOfSlot(slot uint16, n int, fn func(w uint64)) {
	place := uint64(slot) << slotShift
	for n > 0 && place>>slotShift == uint64(slot) {
		c := s.leaf(place)
		words, next := s.run(place, n, 64)
		for _, w := range words {
			if n > 0 && placeIn(place, c, w)>>slotShift == uint64(slot) {
				fn(w)
				n--
			}
		}
		if place = next; next == 0 {
			return
		}
	}
}

// SlotLen is the number of keys in a slot.
func (s *Space) SlotLen(slot uint16) int {
	if s.store.slotCounts {
		if s.perSlot == nil {
			return 0
		}
		return int(s.perSlot[slot])
	}
	n := 0
	s.eachOfSlot(slot, s.count, func(uint64) { n++ })
	invariant.Check(n <= s.count, "a slot holds no more than its space")
	return n
}
