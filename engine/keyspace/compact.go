package keyspace

import (
	"math/bits"
	"unsafe"
)

// Compaction empties the sparsest spans: it moves their blocks into fuller
// ones, so that whole runs of pages become free, and gives free pages back to
// the system. Extents stay where they are; they consist of whole pages.

// Costs in the budget of Compact.
const (
	moveCost = 4
	trimCost = 64
)

// Compact looks at up to about budget blocks, as long as more of the memory
// lies idle than Options.Fragmentation allows. It tells whether more is worth doing.
func (s *Store) Compact(budget int) bool {
	for budget > 0 {
		switch {
		case s.evacuate != 0:
			budget -= s.evacuateSome(budget)
			if s.evacuate == 0 && s.stuck {
				return false
			}
		case s.idleRate > 99:
			return false
		case s.tooIdle() && s.trim():
			budget -= trimCost
		case !s.wasteful() || !s.chooseSpan():
			return s.tooIdle() && s.trim()
		}
	}
	return true
}

// wasted is how many bytes are held and not used.
func (s *Store) wasted() int64 { return s.idle + s.spanHeld - s.spanLive }

// wasteful tells that more is wasted than allowed.
func (s *Store) wasteful() bool { return s.wasted()*100 > s.held*s.idleRate }

// tooIdle allows idle pages, which are cheap to give back, a quarter of that.
func (s *Store) tooIdle() bool { return s.idle*400 > s.held*s.idleRate }

// chooseSpan picks the sparsest span of the class that wastes most, if the
// others of that class can take its blocks. Spans without blocks go at once.
func (s *Store) chooseSpan() bool {
	best, most := -1, int64(0)
	for c := 1; c < len(classes); c++ {
		of, k := &s.byClass[c], &classes[c]
		s.dropIdle(of, k)
		free := int64(of.count)*int64(k.blocks) - int64(of.live)
		if of.mask != 0 && free > int64(k.blocks) && free*int64(k.size) > most {
			best, most = c, free*int64(k.size)
		}
	}
	if best < 0 {
		return false
	}
	of := &s.byClass[best]
	s.evacuate = of.bins[bits.TrailingZeros32(of.mask)]
	s.evacuated = 0
	s.unlistSpan(of, s.record(s.evacuate), &classes[best])
	return true
}

// dropIdle gives back the span that blocks would come from, if it holds none.
func (s *Store) dropIdle(of *spans, k *class) {
	if n := of.current; n != 0 && s.record(n).live == 0 {
		of.current = 0
		s.dropSpan(n, s.record(n), of, k)
	}
}

// evacuateSome goes on emptying the chosen span.
func (s *Store) evacuateSome(budget int) int {
	n, p := s.evacuate, s.record(s.evacuate)
	k, spent := &classes[p.class], 0
	for ; s.evacuated < p.carved && spent < budget; s.evacuated += k.units {
		spent++
		if s.moveBlock(uint64(n)*pageUnits + uint64(s.evacuated)) {
			spent += moveCost
		}
	}
	if s.evacuated >= p.carved {
		s.evacuate = 0
		s.stuck = p.live > 0
		s.listSpan(n, p, &s.byClass[p.class], k)
	}
	return spent + 1
}

// moveBlock moves a block to another span, unless it is free or not to be moved.
func (s *Store) moveBlock(ref uint64) bool {
	switch h := *word(s.at(ref)); headerKind(h) {
	case KindFree:
		return false
	case kindTable:
		s.moveTable(ref)
		return true
	case kindNode:
		s.moveNode(ref)
		return true
	default:
		return h&flagQueued == 0 && s.moveEntry(ref, headerSize(h))
	}
}

// copyBlock copies a block to another one of its size.
func (s *Store) copyBlock(ref uint64, size int) uint64 {
	to := s.alloc(sizeClass(size))
	copy(unsafe.Slice((*byte)(s.at(to)), size), unsafe.Slice((*byte)(s.at(ref)), size))
	return to
}

func (s *Store) moveTable(ref uint64) {
	old := s.table(ref)
	p := s.byID[old.space()]
	to := s.copyBlock(ref, int(classes[sizes[old.step()].class].size))
	t := s.table(to)
	p.moved(to, t)
	p.lead(t.prefix, t.depth(), leafCell(to, t.depth(), t.step()))
	s.free(ref)
}

func (s *Store) moveNode(ref uint64) {
	n := (*node)(s.at(ref))
	p := s.byID[uint16(n.head)]
	base, width := uint(n.head>>headDepth&0xff), uint(n.head>>headStep&0xff)
	to := s.copyBlock(ref, int(classes[nodeClass(width)].size))
	p.lead(n.prefix, base, leafCell(to, base, width)|cellNode)
	s.free(ref)
}

func (s *Store) moveEntry(ref uint64, size int) bool {
	place := s.hash.Place(s.entry(ref).Key())
	w := s.wordOf(place, ref)
	if w == nil {
		return false
	}
	to := s.copyBlock(ref, size)
	*w = *w&^refMask | to
	s.free(ref)
	return true
}

// wordOf finds the word of a block in any of the spaces.
func (s *Store) wordOf(place, ref uint64) *uint64 {
	for _, p := range s.byID {
		if p == nil || p.count == 0 {
			continue
		}
		c := p.leaf(place)
		tag := mix(window(place, depthOf(c)))
		for at := p.home(c, tag); *word(at) != 0 && *word(at)>>tagShift <= tag; at = unsafe.Add(at, 8) {
			if *word(at)&refMask == ref {
				return word(at)
			}
		}
	}
	return nil
}
