package engine

import "github.com/elares/ironcache/sim/env"

// Eviction is what the configuration says about making room.
type Eviction struct {
	Policy  string // as maxmemory-policy spells it
	Samples int    // maxmemory-samples
}

// evictor makes room when the node's memory is at its limit.
type evictor struct {
	rand    env.Rand
	evicted uint64
}

func (e *evictor) init(_ *Shard, rand env.Rand) { e.rand = rand }

// makeRoom evicts until the store is within its limit, and tells whether it is.
func (s *Shard) makeRoom() bool { return s.store.Room(0) }

// expirer removes what has expired.
type expirer struct{}
