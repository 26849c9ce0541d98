package netio

import (
	"sync/atomic"

	"github.com/elares/ironcache/sim/invariant"
)

// A barrier stops a set of loops at a command boundary, so that one of them,
// the coordinator, may touch all their shards as if it were alone.
//
//	append ──► every loop reaches it in ring order ──► arrive (participants)
//	                                                    │ all arrived
//	release ◄── coordinator runs its work ◄─────────────┘
//
// The append to the node's one ring is the only shared step. Every loop takes
// the ring in order, a waiting coordinator included, so that no two loops wait
// for each other: the oldest unreleased barrier always has all it needs.
// Barriers over disjoint sets overlap.
type barrier struct {
	set      shardSet
	need     int32        // participants
	arrived  atomic.Int32 // 0 <= arrived <= need
	released atomic.Bool
	long     bool // the work is much, others may as well sleep meanwhile
	owner    *Loop
	index    uint64 // in the node's ring, once it is there
	work     func() // run by the owner while all participants stand still; nil once it ran
}

// barrierLog is the node's ring of barriers. Index i lives in cell i%size until
// every loop has passed it.
type barrierLog struct {
	tail  atomic.Uint64
	_     [56]byte
	cells []barrierCell
}

type barrierCell struct {
	seq     atomic.Uint64 // index+1 of the barrier that the cell holds
	barrier *barrier
}

// newBarrierLog makes room for four barriers a loop: a loop has at most one
// unreleased barrier of its own, the rest is slack for loops that lag.
func newBarrierLog(loops int) *barrierLog {
	size := 8
	for size < 4*loops {
		size *= 2
	}
	return &barrierLog{cells: make([]barrierCell, size)}
}

// append publishes a barrier, unless a loop lags by the whole ring.
func (g *barrierLog) append(b *barrier, loops []*Loop) bool {
	for {
		tail := g.tail.Load()
		for _, l := range loops {
			if tail-l.passed.Load() >= uint64(len(g.cells)) {
				return false
			}
		}
		if g.tail.CompareAndSwap(tail, tail+1) {
			cell := &g.cells[tail%uint64(len(g.cells))]
			b.index = tail
			cell.barrier = b
			cell.seq.Store(tail + 1)
			return true
		}
	}
}

// at gives barrier number index, or nil if it is not published yet.
func (g *barrierLog) at(index uint64) *barrier {
	cell := &g.cells[index%uint64(len(g.cells))]
	if cell.seq.Load() != index+1 {
		return nil
	}
	return cell.barrier
}

// barriersWait tells whether the loop has barriers to look at. It is the only
// cost that barriers have for a loop that meets none.
func (l *Loop) barriersWait() bool {
	return l.passed.Load() != l.node.barriers.tail.Load()
}

// passBarriers takes the barriers that were appended since the last call, in
// order. It reports false when the loop has to stand still at one of them.
func (l *Loop) passBarriers() bool {
	for l.barriersWait() {
		index := l.passed.Load()
		b := l.node.barriers.at(index)
		if b == nil || !l.pass(b) {
			return false
		}
		l.passed.Store(index + 1)
		l.look() // the barrier may have changed what the loop goes by
		if l.ended {
			return true // the others take no further ones either
		}
	}
	return true
}

// pass handles one barrier and reports whether the loop may go on.
func (l *Loop) pass(b *barrier) bool {
	if !b.set.has(l.id) && b.owner != l {
		return true
	}
	if b.set.has(l.id) && !l.arrived {
		l.arrived = true
		if b.arrived.Add(1) == b.need && b.owner != l {
			b.owner.wake()
		}
	}
	if b.owner == l {
		return l.coordinate(b)
	}
	if !b.released.Load() {
		return false
	}
	l.arrived = false
	return true
}

// coordinate runs the barrier's work once all participants stand still, and
// releases them when nothing keeps them longer.
func (l *Loop) coordinate(b *barrier) bool {
	if b.arrived.Load() != b.need {
		return false
	}
	invariant.Check(l.barrier == b, "a loop coordinates the barrier that it appended")
	if work := b.work; work != nil {
		b.work = nil
		work()
	}
	if l.lingers() {
		return false
	}
	l.barrier, l.barrierPublished = nil, false
	l.spent = b
	l.arrived = false
	b.released.Store(true)
	l.wakeSet(b.set)
	return true
}

// raise appends a barrier over the shards of set; work runs later, inside
// passBarriers, with all of them standing still.
func (l *Loop) raise(set shardSet, work func()) { l.raiseFor(set, false, work) }

// raiseFor is raise; long tells that the work is much.
func (l *Loop) raiseFor(set shardSet, long bool, work func()) {
	invariant.Check(l.barrier == nil, "a loop raises one barrier at a time")
	b := l.blankBarrier()
	b.set, b.need, b.long, b.work = set, int32(set.count()), long, work
	l.barrier = b
	l.publishBarrier()
}

// blankBarrier gives the loop's last barrier to be used again, if all loops
// have passed it, else a new one.
func (l *Loop) blankBarrier() *barrier {
	b := l.spent
	l.spent = nil
	if b == nil {
		return &barrier{owner: l}
	}
	for _, other := range l.node.loops {
		if other.passed.Load() <= b.index {
			return &barrier{owner: l}
		}
	}
	b.arrived.Store(0)
	b.released.Store(false)
	return b
}

// publishBarrier appends the loop's barrier if it still has to be.
func (l *Loop) publishBarrier() {
	if l.barrier == nil || l.barrierPublished {
		return
	}
	if l.node.barriers.append(l.barrier, l.node.loops) {
		l.barrierPublished = true
		l.wakeSet(l.barrier.set)
	}
}

// wakeSet wakes the other loops of a set.
func (l *Loop) wakeSet(set shardSet) {
	for _, other := range l.node.loops {
		if other != l && set.has(other.id) {
			other.wake()
		}
	}
}
