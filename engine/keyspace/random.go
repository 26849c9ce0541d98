package keyspace

import (
	"math/bits"

	"github.com/elares/ironcache/sim/env"
)

// draw gives a number from 0 to n-1.
func draw(r env.Rand, n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// maxDraws bounds the search for a word; spaces where it matters are all but empty.
const maxDraws = 4096

// Random draws an entry, each with the same chance; none when empty. It draws a
// segment and a place in its table, until an entry lies there.
func (s *Space) Random(r env.Rand) Entry {
	if s.count == 0 {
		return Entry{}
	}
	var t *table
	for range maxDraws {
		t = s.drawTable(r)
		width := int(max(sizes[lastStep].words, sizes[t.step()].words))
		if s.agenda.n == 1 {
			width = int(sizes[t.step()].words)
		}
		if i := draw(r, width); i < int(sizes[t.step()].words) && *t.at(i) != 0 {
			return s.store.entry(*t.at(i) & refMask)
		}
	}
	return s.store.entry(firstWord(t) & refMask)
}

func (s *Space) drawTable(r env.Rand) *table {
	return s.store.table(s.agenda.at(draw(r, s.agenda.n)).table)
}

func firstWord(t *table) uint64 {
	for _, w := range t.words() {
		if w != 0 {
			return w
		}
	}
	return 0
}

// sampleRun is how many neighbours Sample takes at a time: their order in the
// table is that of a hash, so neighbours are as good as strangers.
const sampleRun = 4

// Sample calls fn for up to n entries drawn about evenly, for eviction. An
// entry may come twice. fn changes nothing; keep the keys, not the entries.
func (s *Space) Sample(r env.Rand, n int, volatileOnly bool, fn func(Entry)) {
	need := uint64(0)
	if volatileOnly {
		need = wordExpire
	}
	if s.count == 0 || volatileOnly && s.expires == 0 {
		return
	}
	refs := s.store.scratch.from[:0]
	for tries := 0; len(refs) < n && tries < 16+2*n; tries++ {
		t := s.drawTable(r)
		if tries > 8+n {
			t = s.store.table(s.agenda.at(0).table) // has expiries if any has
		}
		if t.count == 0 || need != 0 && t.expire == 0 {
			continue
		}
		refs = s.store.pick(refs, t, draw(r, int(sizes[t.step()].words)), min(n-len(refs), sampleRun), need)
	}
	for _, ref := range refs {
		fn(s.store.entry(ref))
	}
}

// pick appends the refs of up to n words with the needed bit, from the i-th on
// and around.
func (s *Store) pick(refs []uint64, t *table, i, n int, need uint64) []uint64 {
	words := t.words()
	for range words {
		if w := words[i]; w != 0 && w&need == need {
			prefetchPair(s.at(w & refMask))
			refs = append(refs, w&refMask)
			if n--; n == 0 {
				break
			}
		}
		if i++; i == len(words) {
			i = 0
		}
	}
	return refs
}

// AvgTTL estimates the mean remaining life of the keys that expire, in
// milliseconds, from a few of them.
func (s *Space) AvgTTL(now int64, r env.Rand) int64 {
	sum, n := int64(0), int64(0)
	s.Sample(r, 32, true, func(e Entry) {
		sum += max(0, e.Expiry()-now)
		n++
	})
	return sum / max(n, 1)
}
