package netio

import "sync/atomic"

// loopStats are counters of one loop; those that only grow, save where CONFIG
// RESETSTAT sets them to zero.
type loopStats struct {
	accepted, rejected, refused uint64
	netIn, netOut               uint64 // bytes
	reads, writes               uint64
	outputLimitClosed           uint64
	fencedReplies               uint64 // batches whose replies were dropped: the lease had ended
	queryLimitClosed            uint64
	evictedClients              uint64
	deniedAuth                  uint64       // logins that failed
	charged                     atomic.Int64 // bytes of connection buffers in the ledger
	mapped                      atomic.Int64 // part of it: regions of env.Memory
	largest                     atomic.Int64 // of one connection, when they pass their limit
	rates                       rates
	stalls                      stalls
}

// charge counts the connection's buffers in the ledger.
func (l *Loop) charge(c *Conn) {
	size, mapped := 0, 0
	if !c.closed {
		size = cap(c.out) + c.backlog.bytes + c.rest.bytes() + cap(c.left) + c.tx.bytes()
	}
	for _, b := range [...]*batch{c.long, c.batch} {
		if b != nil && len(b.buf) > readSize {
			size += b.held()
			mapped += b.mapped()
		}
	}
	if mapped != c.mapped {
		l.stats.mapped.Add(int64(mapped - c.mapped))
		c.mapped = mapped
	}
	if size != c.charged {
		l.node.ledger.Charge(int64(size - c.charged))
		l.stats.charged.Add(int64(size - c.charged))
		c.charged = size
	}
}

// rates are what INFO calls instantaneous: means over the last samples.
type rates struct {
	at             int64
	calls, in, out uint64
	perSecond      [rateSamples][3]float64
	next           int
}

// rateSamples is how many samples a rate is the mean of.
const rateSamples = 16

// sample takes one sample of the loop's rates.
func (l *Loop) sample() {
	r := &l.stats.rates
	now := [3]uint64{l.shard.Calls(), l.stats.netIn, l.stats.netOut}
	if passed := l.mono - r.at; passed >= 100e6 {
		before := [3]uint64{r.calls, r.in, r.out}
		for i := range now {
			r.perSecond[r.next%rateSamples][i] = float64(now[i]-min(now[i], before[i])) * 1e9 / float64(passed)
		}
		r.next++
		r.at, r.calls, r.in, r.out = l.mono, now[0], now[1], now[2]
	}
}

// mean gives rate i, 0 calls, 1 bytes in, 2 bytes out, per second.
func (r *rates) mean(i int) float64 {
	n := min(r.next, rateSamples)
	if n == 0 {
		return 0
	}
	var sum float64
	for k := range n {
		sum += r.perSecond[k][i]
	}
	return sum / float64(n)
}

// limitClients closes the client with the largest buffers while the buffers
// of all clients pass the option maxmemory-clients. Each loop tells how large
// its largest is, and a round later, when all have, the loop of the largest of
// them closes it.
func (l *Loop) limitClients() {
	told := l.stats.largest.Swap(0)
	limit := l.cfg.MaxmemoryClients.Of(l.cfg.Maxmemory)
	if limit <= 0 || l.node.clientBytes() <= limit {
		return
	}
	largest := l.largestClient()
	if largest == nil {
		return
	}
	l.stats.largest.Store(int64(largest.charged))
	if told == 0 || l.node.largestClient() > int64(largest.charged) {
		return
	}
	l.node.log.Warn("client closed: the buffers of all clients pass maxmemory-clients",
		"client", largest.peer.Remote, "bytes", largest.charged)
	l.stats.evictedClients++
	l.close(largest)
}

// largestClient is the client with the largest buffers that may be closed for
// them, nil if there is none.
func (l *Loop) largestClient() (largest *Conn) {
	for _, c := range l.conns {
		if c != nil && c.charged > 0 && !c.noEvict && (largest == nil || c.charged > largest.charged) {
			largest = c
		}
	}
	return largest
}

// largestClient is how large the largest client is that a loop told of.
func (n *Node) largestClient() (most int64) {
	for _, l := range n.loops {
		most = max(most, l.stats.largest.Load())
	}
	return most
}

// clientBytes is the memory of all connections' buffers.
func (n *Node) clientBytes() int64 {
	var sum int64
	for _, l := range n.loops {
		sum += l.stats.charged.Load()
	}
	return sum
}

// mappedBytes is the part of clientBytes that lies in regions of env.Memory.
func (n *Node) mappedBytes() int64 {
	var sum int64
	for _, l := range n.loops {
		sum += l.stats.mapped.Load()
	}
	return sum
}

// bytes is the memory of a transaction; nil has none.
func (tx *transaction) bytes() int {
	if tx == nil {
		return 0
	}
	return cap(tx.buf) + 8*cap(tx.spans) + 32*cap(tx.ops)
}

// resetStats sets the loop's counters to zero.
func (l *Loop) resetStats() {
	charged, mapped := l.stats.charged.Load(), l.stats.mapped.Load()
	rates := l.stats.rates
	l.stats = loopStats{}
	l.stats.rates = rates
	l.stats.charged.Store(charged)
	l.stats.mapped.Store(mapped)
}
