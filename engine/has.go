package engine

import "github.com/elares/ironcache/engine/keyspace"

// Has tells whether a key is there and its time has not come. Its shard is this
// one, or stands still. That it was asked for leaves no trace.
func (s *Shard) Has(db int, name []byte) bool {
	s.setNow(s.clock.Monotonic())
	return s.has(db, s.call.Hash.Key(name))
}

// has is Has as of the last look at the clock.
func (s *Shard) has(db int, k keyspace.Key) bool {
	e := s.call.SpaceOf(db, k).Find(k)
	return e.Ok() && (e.Expiry() == 0 || e.Expiry() >= s.call.Now)
}
