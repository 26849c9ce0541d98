package evict

import "bytes"

// PoolSize is how many candidates wait, as in Redis.
const PoolSize = 16

// keepKey is the longest key, in bytes, whose buffer an idle place keeps.
const keepKey = 1024

// Candidate is a key that may go.
type Candidate struct {
	Score uint64
	Place uint64
	DB    int
	Key   []byte // a copy, valid until the pool changes
}

// Pool keeps the best candidates of all samples, so that a victim is the best
// of many although each sample is small. It does not allocate once its places
// have held keys of the usual length.
type Pool struct {
	places [PoolSize]Candidate
	// order lists places: the first n hold candidates, worst first; the
	// others are free.
	order [PoolSize]uint8
	n     int
	ready bool // order is a permutation
}

// Len is the number of candidates.
func (p *Pool) Len() int { return p.n }

// Accepts tells whether a candidate with this score would get a place.
func (p *Pool) Accepts(score uint64) bool {
	return p.n < PoolSize || score > p.places[p.order[0]].Score
}

// Offer adds a candidate if it is better than the worst one. A key that is in
// the pool already takes the later score.
func (p *Pool) Offer(score, place uint64, db int, key []byte) {
	p.prepare()
	if i := p.find(place, db, key); i >= 0 {
		p.drop(i)
	}
	if !p.Accepts(score) {
		return
	}
	if p.n == PoolSize {
		p.drop(0)
	}
	p.insert(score, place, db, key)
}

// Best is the best candidate; nil when there is none.
func (p *Pool) Best() *Candidate {
	if p.n == 0 {
		return nil
	}
	return &p.places[p.order[p.n-1]]
}

// DropBest forgets the best candidate.
func (p *Pool) DropBest() { p.drop(p.n - 1) }

// Clear forgets all candidates.
func (p *Pool) Clear() {
	for p.n > 0 {
		p.DropBest()
	}
}

func (p *Pool) prepare() {
	if p.ready {
		return
	}
	for i := range p.order {
		p.order[i] = uint8(i)
	}
	p.ready = true
}

// find gives the position of a key in order, or -1.
func (p *Pool) find(place uint64, db int, key []byte) int {
	for i, at := range p.order[:p.n] {
		c := &p.places[at]
		if c.Place == place && c.DB == db && bytes.Equal(c.Key, key) {
			return i
		}
	}
	return -1
}

// drop frees position i: its place goes to the front of the free ones.
func (p *Pool) drop(i int) {
	at := p.order[i]
	copy(p.order[i:], p.order[i+1:p.n])
	p.n--
	p.order[p.n] = at
	if c := &p.places[at]; cap(c.Key) > keepKey {
		c.Key = nil
	}
}

// insert takes a free place.
func (p *Pool) insert(score, place uint64, db int, key []byte) {
	at := p.order[p.n]
	i := p.n
	for i > 0 && p.places[p.order[i-1]].Score > score {
		i--
	}
	copy(p.order[i+1:p.n+1], p.order[i:p.n])
	p.order[i] = at
	p.n++
	c := &p.places[at]
	c.Score, c.Place, c.DB = score, place, db
	c.Key = append(c.Key[:0], key...)
}
