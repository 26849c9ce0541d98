package evict

import "sync/atomic"

// Exchange is where the shards of a node tell how cold the data is that they
// would evict next, and ask one another for memory, so that what goes first is
// the coldest of the node and not of the shard that happens to grow. It is
// safe for concurrent use.
type Exchange struct {
	seats []seat
	// Wake is called when a shard is asked. Set it before the shards run; nil
	// leaves the asked shard to find out by itself.
	Wake func(shard int)
}

// seat is one shard's part, alone on its cache lines.
type seat struct {
	coldest atomic.Uint64 // a Coldness
	asked   atomic.Int64  // bytes that others want; >= 0
	_       [112]byte
}

// NewExchange makes the exchange of a node.
func NewExchange(shards int) *Exchange { return &Exchange{seats: make([]seat, shards)} }

// Shards is the number of shards.
func (x *Exchange) Shards() int { return len(x.seats) }

// Publish tells how cold the shard's next victim is.
func (x *Exchange) Publish(shard int, c Coldness) {
	if seat := &x.seats[shard]; seat.coldest.Load() != uint64(c) {
		seat.coldest.Store(uint64(c))
	}
}

// Coldest is the shard, other than this one, whose next victim is coldest.
func (x *Exchange) Coldest(but int) (shard int, c Coldness) {
	for i := range x.seats {
		if i == but {
			continue
		}
		if theirs := Coldness(x.seats[i].coldest.Load()); theirs > c {
			shard, c = i, theirs
		}
	}
	return shard, c
}

// Ask wants a shard to free so many bytes. What others asked for meanwhile
// counts towards it.
func (x *Exchange) Ask(shard int, bytes int64) {
	asked := &x.seats[shard].asked
	for {
		before := asked.Load()
		if before >= bytes {
			return
		}
		if asked.CompareAndSwap(before, bytes) {
			if before == 0 && x.Wake != nil {
				x.Wake(shard)
			}
			return
		}
	}
}

// Asked is how many bytes the shard ought to free.
func (x *Exchange) Asked(shard int) int64 { return x.seats[shard].asked.Load() }

// Gave tells that the shard freed so many bytes of what it was asked for.
func (x *Exchange) Gave(shard int, bytes int64) {
	asked := &x.seats[shard].asked
	for {
		before := asked.Load()
		if asked.CompareAndSwap(before, max(0, before-bytes)) {
			return
		}
	}
}
