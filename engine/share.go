package engine

import (
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/evict"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/slots"
)

// leastAsked is the fewest bytes that one shard asks of another: less is not
// worth waking it.
const leastAsked = 64 << 10

// askColder asks the shard whose data is coldest for memory, if it is clearly
// colder than what this shard would evict, and tells whether it did.
func (s *Shard) askColder() bool {
	e := &s.evict
	if e.exchange == nil {
		return false
	}
	other, theirs := e.exchange.Coldest(s.id)
	if theirs == 0 || !e.policy.Colder(theirs, s.coldness()) {
		return false
	}
	e.exchange.Ask(other, max(leastAsked, 2*(e.ceiling-s.held())))
	return true
}

// coldness rates what this shard would evict next, and tells the others.
func (s *Shard) coldness() evict.Coldness {
	e := &s.evict
	if e.pool.Best() == nil {
		s.sample()
	}
	c := s.bestNow()
	e.exchange.Publish(s.id, c)
	return c
}

// bestNow rates the best candidate as of now.
func (s *Shard) bestNow() evict.Coldness {
	e := &s.evict
	if e.policy.Score == nil {
		return s.anyNow()
	}
	for best := e.pool.Best(); best != nil; best = e.pool.Best() {
		entry := s.store.Space(best.DB).Find(keyspace.Key{Bytes: best.Key, Place: best.Place})
		if entry.Ok() && s.score(entry) >= best.Score {
			return evict.Of(s.score(entry))
		}
		e.pool.DropBest()
	}
	return 0
}

// anyNow is the coldness of all keys, when all are as good.
func (s *Shard) anyNow() evict.Coldness {
	for _, db := range s.evict.databases {
		if s.evictable(db) > 0 {
			return evict.Of(0)
		}
	}
	return 0
}

// Asked tells that another shard wants this one to give memory back: its owner
// then calls Background soon.
func (s *Shard) Asked() bool {
	x := s.evict.exchange
	return x != nil && x.Asked(s.id) > 0
}

// give evicts what other shards asked for until the time, monotonic
// nanoseconds, and tells whether more is owed.
func (s *Shard) give(until int64) bool {
	e := &s.evict
	if !s.Asked() {
		return false
	}
	s.follow()
	freed, owed := int64(0), e.exchange.Asked(s.id)
	for n := 1; freed < owed; n++ {
		size := s.giveOne()
		if size == 0 {
			freed = owed
			break
		}
		freed += int64(size)
		if n%clockEvery == 0 && s.clock.Monotonic() >= until {
			break
		}
	}
	e.exchange.Gave(s.id, freed)
	s.coldness()
	s.store.Trim()
	return s.Asked()
}

func (s *Shard) giveOne() int {
	if s.evict.policy.Never {
		return 0
	}
	return s.evictOne()
}

// showColdness keeps what others see of this shard's coldest data true.
func (s *Shard) showColdness() {
	if s.evict.exchange == nil {
		return
	}
	s.follow()
	if s.evict.policy.Never {
		s.evict.exchange.Publish(s.id, 0)
		return
	}
	s.sample()
	s.coldness()
}

// roomElsewhere makes room on the other shards that an operation writes to.
// They stand still. It tells whether the operation may run.
func (s *Shard) roomElsewhere(op command.Op) bool {
	e := &s.evict
	row := &command.Table[op.Row]
	if len(e.peers) < 2 || row.Flags&command.DenyOOM == 0 {
		return true
	}
	args := s.argsOf(op)
	refs, _ := command.AppendKeys(e.refs[:0], row, args)
	if cap(refs) <= mostRefs {
		e.refs = refs
	}
	for _, ref := range refs {
		place := s.call.Hash.Place(args.At(int(ref.Arg)))
		peer := e.peers[slots.Shard(uint16(place>>50), len(e.peers))]
		if peer != s && !peer.roomAt(s.call.Now) {
			return false
		}
	}
	return true
}

// mostRefs is for how many keys the scratch is kept.
const mostRefs = 4096

// roomAt is makeRoom for a coordinator at whose barrier the shard stands still.
func (s *Shard) roomAt(now int64) bool {
	if !s.store.Over() {
		return true
	}
	s.call.Now = now
	return s.makeRoom()
}
