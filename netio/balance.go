package netio

// place starts a connection on the loop that has the fewest. The system
// spreads connections by chance, which piles a few of them on one core.
func (l *Loop) place(c *Conn) {
	to := l.emptiest()
	if l.clients.Load() <= to.clients.Load() {
		to = l
	}
	if to == l {
		l.attach(c)
		return
	}
	l.handOver(c, to)
}

// emptiest is the loop with the fewest connections.
func (l *Loop) emptiest() *Loop {
	best := l.node.loops[0]
	for _, other := range l.node.loops {
		if other.clients.Load() < best.clients.Load() {
			best = other
		}
	}
	return best
}

// handOver moves a connection that waits for nothing to another loop.
func (l *Loop) handOver(c *Conn, to *Loop) {
	l.poller.Detach(c.id)
	to.clients.Add(1) // counted at once, so that a burst is spread
	l.tell(to, func(to *Loop) {
		to.clients.Add(-1)
		if err := to.poller.Attach(c.id); err != nil {
			to.node.log.Warn("netio: take over a connection", "client", c.peer.Remote, "err", err)
			to.poller.Close(c.id)
			return
		}
		to.attach(c)
	})
}

// rebalance moves idle connections away while this loop has clearly more than
// the emptiest one.
func (l *Loop) rebalance() {
	to := l.emptiest()
	surplus := (l.clients.Load() - to.clients.Load()) / 2
	for _, c := range l.conns {
		if surplus < 1 || to == l {
			return
		}
		if c != nil && c.idle() {
			l.conns[c.id] = nil
			l.clients.Add(-1)
			l.handOver(c, to)
			surplus--
		}
	}
}

// idle tells that nothing on this loop refers to the connection.
func (c *Conn) idle() bool {
	return c.batch == nil && !c.queued && !c.closing && !c.writing && !c.muted &&
		len(c.out) == c.outFrom && len(c.watching) == 0 && !c.monitor
}
