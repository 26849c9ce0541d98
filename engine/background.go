package engine

// How much Background does between two looks at the clock.
const (
	workBatch, compactBatch = 128, 32
)

// agePeriod is how long, in nanoseconds, spare memory may lie idle; at most
// twice that.
const agePeriod = 1e9

// Background does some of what can wait, for so many nanoseconds: evictions that
// commands left over or that other shards ask for, freeing what was cleared,
// compaction. It tells whether more is left.
func (s *Shard) Background(nanos int64) bool {
	s.setNow(s.clock.Monotonic())
	until := s.mono + nanos
	s.call.TidyMakings()
	more := s.give(until)
	more = s.catchUp(until) || more
	more = s.repeat(until, workBatch, s.store.Work) || more
	more = s.repeat(until, compactBatch, s.store.Compact) || more
	if s.mono >= s.ageAt {
		s.ageAt = s.mono + agePeriod
		s.store.Age()
	}
	s.showColdness()
	s.store.Trim()
	s.store.Publish()
	return more
}

// catchUp evicts what commands left over.
func (s *Shard) catchUp(until int64) bool {
	if !s.store.Over() || s.hasRoom() {
		return false
	}
	s.follow()
	if s.evict.policy.Never {
		return false
	}
	before, patience := s.evict.evicted, max(0, until-s.clock.Monotonic())
	s.relieve(patience, patience)
	return s.evict.evicted > before && !s.hasRoom()
}

// repeat does at least one batch of work, then more until the time.
func (s *Shard) repeat(until int64, batch int, work func(int) bool) bool {
	for work(batch) {
		if s.clock.Monotonic() >= until {
			return true
		}
	}
	return false
}
