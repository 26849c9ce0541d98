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
	under int       // the loop's: bytes on their way
}

type returned struct {
	what   keyspace.Release
	before *returned
}

const (
	// mostUnder is how many bytes of a node may be on their way to the system
	// elsewhere. The loops themselves return what comes on top of it, since
	// nobody else might get a processor soon enough.
	mostUnder = 32 << 20
	// leastUnder is what one release counts at least, in bytes.
	leastUnder = 64 << 10
)

// releaseAside has what a store releases given back to the system elsewhere,
// as long as that does not pile up.
func (n *Node) releaseAside(aside func(work func()), back *returns, most int) func(keyspace.Release) bool {
	memory := n.world.Memory
	return func(r keyspace.Release) bool {
		size := weight(r)
		if back.under+size > most {
			return false
		}
		back.under += size
		aside(func() {
			r.Run(memory)
			back.add(&returned{what: r})
		})
		return true
	}
}

func weight(r keyspace.Release) int { return max(r.Bytes(), leastUnder) }

func (r *returns) add(one *returned) {
	for {
		one.before = r.last.Load()
		if r.last.CompareAndSwap(one.before, one) {
			return
		}
	}
}

// returnsAtOnce is how many returns of single pages one Step takes.
const returnsAtOnce = 32

// takeReturns tells the store what has gone back to the system, a little a Step,
// and passes on what had to wait for that.
func (l *Loop) takeReturns() {
	r, store := &l.node.returns[l.id], l.node.stores[l.id]
	if r.taken == nil {
		if r.last.Load() == nil {
			return
		}
		r.taken = r.last.Swap(nil)
	}
	for n := 0; n < returnsAtOnce && r.taken != nil; r.taken = r.taken.before {
		what := r.taken.what
		r.under -= weight(what)
		store.Released(what)
		if !what.Whole() {
			n++
		}
	}
	store.PassOn()
}
