package netio

import (
	"sync/atomic"

	"github.com/elares/ironcache/engine/keyspace"
)

// returns are parts of a store's chunks that have gone back to the system and
// may be used again. The thread that gave them back adds them, the loop takes
// them all.
type returns struct {
	last atomic.Pointer[returned]
	_    [56]byte // each loop's on a cache line of its own
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

// takeReturns tells the store what has gone back to the system.
func (l *Loop) takeReturns() {
	store := l.node.stores[l.id]
	for r := l.node.returns[l.id].last.Swap(nil); r != nil; r = r.before {
		store.Released(r.what)
	}
}
