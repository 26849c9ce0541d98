package engine

import (
	"math"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/evict"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/sim/env"
)

// Eviction is what the configuration says about making room.
type Eviction struct {
	Policy   string // as maxmemory-policy spells it
	Samples  int    // maxmemory-samples
	Tenacity int    // maxmemory-eviction-tenacity, 0 to 100
}

// evictor makes room when the node's memory is at its limit.
//
// A shard is short when it holds more than it may lease. What a command may
// then cost in time is bounded, and so is what short shards hold together
// beyond the limit: each may grow to its ceiling, past which commands that take
// memory wait. Their owner goes on with others meanwhile, where it can;
// elsewhere they evict longer themselves and in the end are turned away.
type evictor struct {
	rand     env.Rand
	policy   *evict.Policy
	moment   evict.Moment
	pool     evict.Pool
	exchange *evict.Exchange  // nil when the node has but one shard
	peers    []*Shard         // all shards of the node
	refs     []command.KeyRef // scratch
	evicted  uint64

	databases []int                // those with something to evict, as of the last look
	keys      int                  // what they hold
	rounds    int                  // of sampling
	db        int                  // being sampled
	consider  func(keyspace.Entry) // takes a sampled entry; made once
	drawn     victim               // the last one considered when all are as good

	short   bool
	since   int64 // when it became short, monotonic nanoseconds
	base    int64 // bytes held when it became short
	ceiling int64 // of bytes held; means something while short
	over    int64 // nanoseconds that the shard was short in the past

	spent int64 // nanoseconds that operations evicted within this turn of the owner
}

func (e *evictor) init(s *Shard, rand env.Rand) {
	e.rand = rand
	e.policy = evict.Named("noeviction")
	e.consider = s.consider
}

// Join makes the shard one of those that share a limit: they compare through
// the exchange whose data is coldest. It is called before the shard runs
// anything; the slice may be filled in until then.
func (s *Shard) Join(x *evict.Exchange, peers []*Shard) {
	if x.Shards() > 1 {
		s.evict.exchange, s.evict.peers = x, peers
	}
}

// Evicted is the number of keys that were evicted.
func (s *Shard) Evicted() uint64 { return s.evict.evicted }

// Short tells that the shard held more than it may when it last looked, and has not
// come to have room since.
func (s *Shard) Short() bool { return s.evict.short }

// What a short shard may do.
const (
	// leastSlack and mostSlack bound how far, in bytes, a shard may grow
	// beyond its lease before commands have to wait: a 64th of what it holds.
	leastSlack, mostSlack = 16 << 10, 4 << 20
	// patienceUnit is the time, in nanoseconds, that one step of tenacity
	// lets a command spend on evictions.
	patienceUnit = 50_000
	// slice is the time, in nanoseconds, for which the operations of one turn
	// may evict where they can wait, unless patience is longer.
	slice = 1_000_000
	// longest is the time, in nanoseconds, that a command which takes memory
	// and cannot wait may spend when the shard is beyond its ceiling. For large
	// values to take the place of small ones, thousands have to go for each:
	// clients rather wait for that than see their writes refused.
	longest = 100_000_000
	// clockEvery is how many evictions go by between two looks at the clock.
	clockEvery = 8
)

// makeRoom evicts until the store is within its limit, for a bounded time. It
// tells whether a command that takes memory may run.
func (s *Shard) makeRoom() bool { return s.makeRoomWithin(max(longest, s.patience())) }

// makeSomeRoom is makeRoom for a command that takes no memory.
func (s *Shard) makeSomeRoom() {
	s.makeRoomWithin(s.patience())
	s.call.Later = false
}

// makeRoomWithin is makeRoom with the time, in nanoseconds, for a shard that is
// beyond its ceiling.
func (s *Shard) makeRoomWithin(limit int64) bool {
	if s.hasRoom() || s.spares() {
		return true
	}
	s.follow()
	if s.evict.policy.Never {
		return false
	}
	return s.relieve(s.patience(), limit)
}

// hasRoom tells whether the store is within its limit, apart from what a walk
// will free: evicting more would only lengthen its queue.
func (s *Shard) hasRoom() bool {
	e := &s.evict
	if s.store.Room(0) {
		if e.short {
			e.short = false
			e.over += s.mono - e.since
		}
		return true
	}
	return e.short && s.store.Queued() > 0 && s.held() <= e.base
}

// held is what the store holds, in bytes, apart from what a walk will free.
func (s *Shard) held() int64 { return s.store.Live() - s.store.Queued() }

// follow takes over what the configuration says, and the time.
func (s *Shard) follow() {
	e := &s.evict
	if name := s.opts.Eviction.Policy; e.policy.Name != name {
		e.policy = evict.Named(name)
		e.pool.Clear()
	}
	e.moment = evict.Moment{Now: s.call.Now, Decay: s.opts.Policy.LFUDecayTime}
}

// patience is how long, in nanoseconds, a command may evict: up to tenacity 10
// it grows evenly to half a millisecond, then by 15% a step; 100 is for ever.
func (s *Shard) patience() int64 {
	switch t := s.opts.Eviction.Tenacity; {
	case t >= 100:
		return math.MaxInt64
	case t > 10:
		return int64(10 * patienceUnit * math.Pow(1.15, float64(t-10)))
	default:
		return int64(t) * patienceUnit
	}
}

// relieve evicts for about as many nanoseconds as patience says, up to limit
// while the shard is beyond its ceiling. It tells whether a command may run.
func (s *Shard) relieve(patience, limit int64) bool {
	s.beginShort()
	if s.askColder() && s.belowCeiling() {
		return true
	}
	e := &s.evict
	if s.call.MayWait {
		limit = max(slice, patience) - e.spent
		patience = min(patience, limit)
		if limit <= 0 {
			s.call.Later = !s.belowCeiling()
			return !s.call.Later
		}
	}
	from := s.clock.Monotonic()
	runs := s.relieveSince(from, patience, limit)
	took := s.clock.Monotonic() - from
	e.spent += took
	s.NoteLatency(SlowEviction, took)
	return runs
}

// Turn begins a turn of the owner: operations that may wait evict again.
func (s *Shard) Turn() { s.evict.spent = 0 }

// relieveSince is relieve with its time counted from a moment.
func (s *Shard) relieveSince(from, patience, limit int64) bool {
	for n := 1; ; n++ {
		if s.evictOne() == 0 {
			return s.askColder() && s.belowCeiling()
		}
		if s.hasRoom() {
			return true
		}
		if n%clockEvery == 0 {
			spent := s.clock.Monotonic() - from
			if below := s.belowCeiling(); spent >= limit || below && spent >= patience {
				s.call.Later = s.call.MayWait && !below
				return below
			}
		}
	}
}

// beginShort notes that the shard is short. The ceiling only falls until there is
// room again.
func (s *Shard) beginShort() {
	e, held := &s.evict, s.held()
	ceiling := held + min(max(held/64, leastSlack), mostSlack)
	if !e.short {
		e.short, e.since, e.base, e.ceiling = true, s.mono, held, ceiling
	}
	e.ceiling = min(e.ceiling, ceiling)
}

func (s *Shard) belowCeiling() bool { return s.held() <= s.evict.ceiling }

// EvictionTime tells how long, in nanoseconds, the shard has been beyond its
// limit in all, and since when it is now.
func (s *Shard) EvictionTime() (total, current int64) {
	e := &s.evict
	if e.short {
		current = s.mono - e.since
	}
	return e.over + current, current
}
