package keyspace

import (
	"fmt"

	"github.com/elares/ironcache/sim/invariant"
)

// Check recounts everything and stops the process if anything does not add
// up. For tests and simulations: it takes as long as the store is large.
func (s *Store) Check() {
	blocks := 0
	for id, p := range s.byID {
		if p != nil {
			invariant.Check(int(p.id) == id, "a space is listed under its id")
			blocks += p.check()
		}
	}
	for _, w := range s.walks {
		if w != nil {
			blocks += len(w.queue) - w.taken
		}
	}
	invariant.Check(blocks == s.arena.check(), "every block in use has one holder")
	total := s.spanLive + s.extents.live + s.heapBytes()
	invariant.Check(s.account.live == total, fmt.Sprintf("the account says %d, the parts %d", s.account.live, total))
	spared := int64(0)
	for _, one := range s.ready {
		spared += int64(one.soiled)
	}
	invariant.Check(spared == s.spared && s.idleSpare <= spared, "spare regions are counted")
	invariant.Check(s.wasted() >= 0 && s.held >= s.idle, "no more is used than held")
}

// check recounts the spans and gives the number of blocks in use.
func (a *arena) check() int {
	all := 0
	held, live := int64(0), int64(0)
	for chunk, base := range a.base {
		if base == nil {
			continue
		}
		for i := range a.perChunk {
			n := uint32(chunk*a.perChunk + i)
			p := a.record(n)
			if !a.chunk(uint32(chunk)).used.has(i) || p.class == classNone || p.class >= classRun {
				continue
			}
			k := &classes[p.class]
			blocks := a.checkSpan(n, p, k)
			all += blocks
			held += int64(k.pages) * pageBytes
			live += int64(blocks) * int64(k.size)
		}
	}
	invariant.Check(held == a.spanHeld, "spans are counted")
	invariant.Check(live == a.spanLive, "blocks are counted")
	return all
}

func (a *arena) checkSpan(n uint32, p *page, k *class) int {
	blocks := 0
	for at := uint16(0); at < p.carved; at += k.units {
		if headerKind(*word(a.at(uint64(n)*pageUnits + uint64(at)))) != KindFree {
			blocks++
		}
	}
	invariant.Check(blocks == int(p.live), "a span counts its blocks in use")
	return blocks
}

func (b *bitmap) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }

// check recounts a space and gives the number of its blocks.
func (s *Space) check() int {
	count, expires, leaves, tables := 0, 0, 0, 0
	for place := uint64(0); ; {
		c := s.leaf(place)
		t := s.store.table(c & refMask)
		s.verifyTable(c)
		s.verifyKeys(c, t)
		count += int(t.count)
		expires += int(t.expire)
		leaves++
		if stepOf(c) != 0 {
			tables++
		}
		if place = (place | suffix(depthOf(c))) + 1; place == 0 {
			break
		}
	}
	invariant.Check(count == s.count, "a space counts its entries")
	invariant.Check(expires == s.expires, "a space counts its expiries")
	invariant.Check(tables == s.agenda.n, "the agenda has every segment with entries")
	if s.drained == 0 && len(s.store.cleared) == 0 {
		invariant.Check(leaves == s.leaves, "a space counts its segments")
	}
	s.verifySlots()
	return count + tables + s.nodes
}

func (s *Space) verifySlots() {
	sum := 0
	for _, n := range s.perSlot {
		sum += int(n)
	}
	invariant.Check(s.perSlot == nil || sum == s.count || s.store.byID[s.id] != s.store.spaces[s.db],
		"the slots add up")
}

// verifyTable checks the order of a table.
func (s *Space) verifyTable(c uint64) {
	t := s.store.table(c & refMask)
	if stepOf(c) == 0 {
		invariant.Check(c&refMask == emptyTable && t.count == 0 && *t.at(0) == 0, "the empty table is empty")
		return
	}
	invariant.Check(t.step() == stepOf(c) && t.depth() == depthOf(c), "a cell describes its table")
	it := s.agenda.at(int(t.index))
	invariant.Check(it.table == c&refMask && it.due == t.due, "the agenda knows its tables")
	words, z := t.words(), &sizes[t.step()]
	count, expire, last, free := 0, 0, uint64(0), -1
	for i, w := range words {
		if w == 0 {
			free = i
			continue
		}
		count++
		expire += int(w & wordExpire / wordExpire)
		invariant.Check(w>>tagShift >= last, "words are in order")
		last = w >> tagShift
		home := z.home(last)
		invariant.Check(home <= i && free < home, "no free word between a word and its home")
	}
	invariant.Check(words[len(words)-1] == 0, "the last word of a table is free")
	invariant.Check(count == int(t.count) && expire == int(t.expire), "a table counts its words")
}

// verifyKeys compares words with the entries they refer to.
func (s *Space) verifyKeys(c uint64, t *table) {
	if stepOf(c) == 0 {
		return
	}
	for _, w := range t.words() {
		if w == 0 {
			continue
		}
		e := s.store.entry(w & refMask)
		place := s.placeOf(w & refMask)
		invariant.Check(place&^suffix(t.depth()) == t.prefix, "a key is in its segment")
		invariant.Check(mix(window(place, t.depth())) == w>>tagShift, "a word has the tag of its key")
		invariant.Check((w&wordExpire != 0) == (e.Expiry() != 0), "the expiry bit agrees")
		s.verifyMarks(e.header(), place)
		invariant.Check(e.Expiry() == 0 || t.due <= e.Expiry()+s.store.slack, "no deadline is missed")
	}
}

// verifyMarks checks that marks lie ahead of their walks only.
func (s *Space) verifyMarks(h, place uint64) {
	for i, w := range s.store.walks {
		marked := h>>(markShift+i)&1 != 0
		invariant.Check(!marked || w != nil && w.ahead(s, place), "a mark lies ahead of its walk")
	}
}
