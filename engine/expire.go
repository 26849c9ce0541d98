package engine

import (
	"math"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/keyspace"
)

// expirer removes what has expired without waiting for somebody to look.
type expirer struct {
	db      int                       // that is swept, or was swept last
	goes    func(keyspace.Entry) bool // tells of an expired entry; made once
	capped  uint64                    // steps that ended for lack of time
	nanos   int64                     // time spent
	backlog float64                   // running mean share of a step's keys that had expired, 0 to 1
}

// What one step may take. The loop steps at most once a millisecond, so that a
// microsecond of a step is a thousandth of the processor.
const (
	expireBase   = 150_000 // nanoseconds
	expireEffort = 20_000  // more for every step of active-expire-effort
	// expireBatch is how many entries are looked at, about, between two looks
	// at the clock.
	expireBatch = 16
)

// Spare says whether clients are paused: until they are not, nothing goes away
// by itself.
func (s *Shard) Spare(on bool) {
	s.call.Expiry = command.DeleteExpired
	if on {
		s.call.Expiry = command.SpareExpired
	}
}

// spares tells that nothing may go away by itself.
func (s *Shard) spares() bool { return s.call.Expiry == command.SpareExpired }

// ExpireStep removes expired keys for a bounded time and tells whether more
// of them may be there.
func (s *Shard) ExpireStep() bool {
	if !s.opts.ActiveExpiry || s.spares() {
		return false
	}
	s.setNow(s.clock.Monotonic())
	until := s.mono + expireBase + expireEffort*int64(min(max(1, s.opts.ExpireEffort), 10))
	looked, removed := 0, 0
	more := s.anyDue()
	// One batch may take long when a segment is full: the next is taken to
	// last as long as the one before.
	for now, batch := s.mono, int64(0); more && now+batch < until; {
		n := s.expireSome(expireBatch)
		looked += max(n, expireBatch)
		removed += n
		more = s.anyDue()
		before := now
		now = s.clock.Monotonic()
		batch = now - before
	}
	s.expire.db++ // so that no database waits for another for long
	s.expire.note(more, looked, removed)
	if looked > 0 {
		took := s.clock.Monotonic() - s.mono
		s.expire.nanos += took
		s.NoteLatency(SlowExpiry, took)
	}
	return more
}

// anyDue finds the next database in which something may have expired.
func (s *Shard) anyDue() bool {
	x := &s.expire
	n := s.store.Databases()
	for range n {
		if s.store.Space(x.db%n).NextDue() < s.call.Now {
			x.db %= n
			return true
		}
		x.db = (x.db + 1) % n
	}
	return false
}

// expireSome looks at some entries of the database at hand.
func (s *Shard) expireSome(budget int) int {
	x := &s.expire
	if x.goes == nil {
		x.goes = func(e keyspace.Entry) bool { s.call.Expire(x.db, e); return true }
	}
	// A key lives through the millisecond of its deadline.
	return s.store.Space(x.db).Due(s.call.Now-1, budget, x.goes)
}

// note keeps the statistics of a step.
func (x *expirer) note(more bool, looked, removed int) {
	share := 0.0
	if more {
		x.capped++
		share = float64(removed) / float64(max(1, looked))
	}
	x.backlog += (share - x.backlog) * 0.05
}

// NextDue is when ExpireStep may find something next, Unix milliseconds; math.MaxInt64
// when nothing expires or when it is not for this shard to remove it.
func (s *Shard) NextDue() int64 {
	if !s.opts.ActiveExpiry || s.spares() {
		return math.MaxInt64
	}
	if due := s.store.NextDue(); due < math.MaxInt64 {
		return due + 1
	}
	return math.MaxInt64
}

// ExpireStats tell how well the removal of expired keys keeps up.
type ExpireStats struct {
	Expired uint64  // keys
	Capped  uint64  // steps that ended for lack of time
	Nanos   int64   // time spent
	Stale   float64 // estimated percentage of expired keys that are still there
}

// ExpireStats tells the current figures.
func (s *Shard) ExpireStats() ExpireStats {
	return ExpireStats{s.call.Expired, s.expire.capped, s.expire.nanos, 100 * s.expire.backlog}
}
