package netio

import "github.com/elares/ironcache/sim/invariant"

// A pipeline in strict order whose keys belong to several shards in turn would
// travel from loop to loop once a change. Where that costs more than it costs
// the other loops to stand still meanwhile, the loop gathers such pipelines of
// all its connections and runs them itself, at one barrier:
//
//	run ──► scattered? ──► muster ──► end of the Step: raise ──► runMustered
//
// Nobody else sees a shard before the barrier is released, so each connection's
// requests take effect in order, and those of one connection at once.
type muster struct {
	conns []*Conn
	set   shardSet // shards that their requests need
	ops   int      // how many requests those are
	// hopOps is how many requests a loop runs in the time that a hop to
	// another loop and back takes of both.
	hopOps int
	run    func() // runMustered
}

const (
	// fullMuster is how many requests are run at one barrier: others wait
	// about a tenth of a millisecond for them.
	fullMuster = 1024
	// musterFor bounds, in nanoseconds, how long requests are begun at one
	// barrier, however long each takes.
	musterFor = 300_000
	// leastHops is how many messages to other loops a barrier costs at least.
	leastHops = 3
	// usualHopOps is hopOps as measured: 540 ns over 60 ns.
	usualHopOps = 9
)

// scattered looks at the requests from the next one on that need one shard
// each. It tells how many there are, which shards they need, and whether a
// barrier is the cheaper way to run them: all loops stand still while one runs
// them, but no messages are sent.
func (l *Loop) scattered(b *batch) (ops int, set shardSet, yes bool) {
	hops := 0
	last := route{toShard, uint8(l.id)}
	for _, to := range b.routes[b.next:] {
		if to.to != toShard {
			break
		}
		if to != last {
			set.add(int(to.shard))
			if int(to.shard) != l.id {
				hops++
			}
			last = to
		}
		ops++
	}
	set.add(l.id)
	return ops, set, hops >= leastHops && hops*l.muster.hopOps > (len(l.node.loops)-1)*ops
}

// join lists a connection whose next requests run at the loop's next barrier,
// if they are scattered, and tells whether it did.
func (l *Loop) join(c *Conn, b *batch) bool {
	ops, set, yes := l.scattered(b)
	if !yes {
		return false
	}
	invariant.Check(l.barrier == nil, "no request runs while the loop's barrier is under way")
	m := &l.muster
	c.queued = true // it is resumed after that
	m.conns = append(m.conns, c)
	m.set.merge(set)
	if m.ops += ops; m.ops >= fullMuster {
		l.raiseMuster()
	}
	return true
}

// raiseMuster raises the barrier at which the listed connections' requests run,
// if there are any and no other barrier of this loop is under way.
func (l *Loop) raiseMuster() {
	if len(l.muster.conns) == 0 || l.barrier != nil {
		return
	}
	l.raiseFor(l.muster.set, true, l.muster.run)
}

// runMustered runs the listed connections' requests. Their shards stand still.
func (l *Loop) runMustered() {
	m := &l.muster
	now := l.clock.Monotonic()
	until := now + musterFor
	for i, c := range m.conns {
		m.conns[i] = nil
		if now < until && !c.closed && c.care|l.node.cares(l.mono) == 0 {
			now = l.runScattered(c, c.batch, now, until)
		}
		c.queued = false
		l.later(c)
	}
	m.conns, m.set, m.ops = m.conns[:0], shardSet{}, 0
}

// runScattered executes the next requests of a connection that need one shard
// each, whichever, in order, as many as begin before a moment. It tells when
// the last one ended.
func (l *Loop) runScattered(c *Conn, b *batch, now, until int64) int64 {
	end := b.next
	for end < len(b.routes) && b.routes[end].to == toShard {
		end++
	}
	l.askEverywhere(b, b.next, end)
	for waits := false; b.next < end && now < until && b.out.Len() <= flushAt && !b.out.Lost && !waits; {
		owner := l.node.loops[b.routes[b.next].shard]
		b.lend()
		owner.actFor(c)
		var n int
		n, waits = owner.do(b, b.ops[b.next:b.next+b.sameTarget(end-b.next)], &b.out)
		b.next += n
		b.settleLoan()
		now = owner.shard.LastLook()
	}
	return now
}
