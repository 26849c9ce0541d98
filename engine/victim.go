package engine

import (
	"github.com/elares/ironcache/engine/keyspace"
)

// victim is a key drawn for eviction, when all are as good.
type victim struct {
	key   []byte
	place uint64
	found bool
}

// How long to look for something to evict.
const (
	maxRounds = 16 // of sampling without finding a victim
	lookEvery = 64 // rounds between two looks at which databases hold keys
)

// evictOne evicts the best key of a sample and of what earlier samples left in
// the pool. It gives the bytes freed, 0 when there is nothing to evict.
func (s *Shard) evictOne() int {
	for range maxRounds {
		s.sample()
		if freed := s.evictBest(); freed > 0 {
			return freed
		}
		if s.lookAround(); s.evict.keys == 0 {
			return 0
		}
	}
	return 0
}

// lookAround finds the databases with something to evict.
func (s *Shard) lookAround() {
	e := &s.evict
	e.databases, e.keys, e.rounds = e.databases[:0], 0, 0
	for db := range s.store.Databases() {
		if n := s.evictable(db); n > 0 {
			e.databases = append(e.databases, db)
			e.keys += n
		}
	}
}

// evictable is the number of keys in a database that may go.
func (s *Shard) evictable(db int) int {
	if s.evict.policy.Volatile {
		return s.store.Space(db).Expires()
	}
	return s.store.Space(db).Len()
}

// sample offers some keys to the pool: of each database as many as its size
// deserves, and at least one.
func (s *Shard) sample() {
	e := &s.evict
	if e.rounds%lookEvery == 0 {
		s.lookAround()
	}
	e.rounds++
	if e.policy.Score == nil {
		s.draw()
		return
	}
	for _, db := range e.databases {
		n := 1
		if more := max(1, s.opts.Eviction.Samples) - 1; more > 0 {
			n += min(more, more*s.evictable(db)/max(1, e.keys))
		}
		e.db = db
		s.store.Space(db).Sample(e.rand, n, e.policy.Volatile, e.consider)
	}
}

// draw considers one key of a database, each of which has the chance that its
// size deserves.
func (s *Shard) draw() {
	e := &s.evict
	if e.keys == 0 {
		return
	}
	at := int(e.rand.Uint64() % uint64(e.keys))
	for _, db := range e.databases {
		e.db = db
		if at -= s.evictable(db); at < 0 {
			break
		}
	}
	s.store.Space(e.db).Sample(e.rand, 1, e.policy.Volatile, e.consider)
}

// consider takes a sampled entry.
func (s *Shard) consider(entry keyspace.Entry) {
	e := &s.evict
	if e.policy.Score == nil {
		key := s.call.Hash.Key(entry.Key())
		e.drawn = victim{append(e.drawn.key[:0], key.Bytes...), key.Place, true}
		return
	}
	score := e.policy.Score(&e.moment, entry.Clock(), entry.Expiry())
	if e.pool.Accepts(score) {
		key := s.call.Hash.Key(entry.Key())
		e.pool.Offer(score, key.Place, e.db, key.Bytes)
	}
}

// evictBest evicts the best candidate that is still one, and gives the bytes
// freed.
func (s *Shard) evictBest() int {
	e := &s.evict
	if e.policy.Score == nil {
		return s.evictDrawn()
	}
	for best := e.pool.Best(); best != nil; best = e.pool.Best() {
		freed := s.evictKey(best.DB, keyspace.Key{Bytes: best.Key, Place: best.Place}, best.Score)
		e.pool.DropBest()
		if freed > 0 {
			return freed
		}
	}
	return 0
}

func (s *Shard) evictDrawn() int {
	e := &s.evict
	if !e.drawn.found {
		return 0
	}
	e.drawn.found = false
	return s.evictKey(e.db, keyspace.Key{Bytes: e.drawn.key, Place: e.drawn.place}, 0)
}

// evictKey evicts a key unless it is gone, may not go or was used since it got
// its score. It gives the bytes freed.
func (s *Shard) evictKey(db int, k keyspace.Key, score uint64) int {
	entry := s.store.Space(db).Find(k)
	if !entry.Ok() || s.score(entry) < score || s.evict.policy.Volatile && entry.Expiry() == 0 {
		return 0
	}
	size := entry.Bytes()
	s.call.Evict(db, k, entry)
	s.evict.evicted++
	return max(1, size)
}

// score rates an entry now.
func (s *Shard) score(entry keyspace.Entry) uint64 {
	e := &s.evict
	if e.policy.Score == nil {
		return 0
	}
	return e.policy.Score(&e.moment, entry.Clock(), entry.Expiry())
}
