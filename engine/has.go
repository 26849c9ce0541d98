package engine

// Has tells whether a key is there and its time has not come. Its shard is this
// one, or stands still. That it was asked for leaves no trace.
func (s *Shard) Has(db int, name []byte) bool {
	s.setNow(s.clock.Monotonic())
	k := s.call.Hash.Key(name)
	e := s.call.SpaceOf(db, k).Find(k)
	return e.Ok() && (e.Expiry() == 0 || e.Expiry() >= s.call.Now)
}
