package netio

import (
	"sync/atomic"

	"github.com/elares/ironcache/engine/keyspace"
)

// returns are parts of a store's chunks that have gone back to the system and
// may be used again. The thread that gave them back adds them, the loop takes
// them all.
type returns struct {
	last  atomic.Pointer[returned]
	_     [56]byte  // what other threads write has a cache line of its own
	taken *returned // the loop's: what it has yet to tell the store
}

type returned struct {
	what   keyspace.Release
	before *returned
}

// releaseAside has what a store releases given back to the system elsewhere.
func (n *Node) releaseAside(aside func(work func()), back *returns) func(keyspace.Release) {
	memory := n.world.Memory
	return func(r keyspace.Release) {
		aside(func() {
			r.Run(memory)
			back.add(&returned{what: r})
		})
	}
}

func (r *returns) add(one *returned) {
	for {
		one.before = r.last.Load()
		if r.last.CompareAndSwap(one.before, one) {
			return
		}
	}
}

// returnsAtOnce is how many returns one Step takes.
const returnsAtOnce = 32

// takeReturns tells the store what has gone back to the system, a little a Step.
func (l *Loop) takeReturns() {
	r := &l.node.returns[l.id]
	if r.taken == nil {
		if r.last.Load() == nil {
			return
		}
		r.taken = r.last.Swap(nil)
	}
	for n := 0; n < returnsAtOnce && r.taken != nil; n++ {
		l.node.stores[l.id].Released(r.taken.what)
		r.taken = r.taken.before
	}
}
