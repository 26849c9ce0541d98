package netio

// place starts a connection on the loop that has the fewest. The system
// spreads connections by chance, which piles a few of them on one core.
func (l *Loop) place(c *Conn) {
	to := l.emptiest()
	if c.own || l.clients.Load() <= to.clients.Load() {
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

// handOver moves a connection that waits for nothing to another loop. Until
// that one takes it, it is in the message alone.
func (l *Loop) handOver(c *Conn, to *Loop) {
	l.poller.Detach(c.id)
	c.loop = nil
	to.clients.Add(1) // counted at once, so that a burst is spread
	l.send(to, &message{kind: askTake, from: l, conn: c})
}

// takeOver starts serving a connection that another loop handed over.
func (l *Loop) takeOver(c *Conn) {
	l.clients.Add(-1) // attach counts it
	l.attach(c)
	err := l.poller.Attach(c.id)
	if err != nil {
		l.node.log.Warn("netio: take over a connection", "client", c.peer.Remote, "err", err)
	}
	if err != nil || c.killed {
		l.close(c)
	}
}

// between lists the connections that are between two loops. All loops stand
// still.
func (n *Node) between() (list []*Conn) {
	for _, to := range n.loops {
		for _, m := range to.mail() {
			if m.kind == askTake {
				list = append(list, m.conn)
			}
		}
	}
	return list
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

// idle tells that nothing on this loop refers to the connection, so that it may go
// to another.
func (c *Conn) idle() bool {
	return !c.own && c.batch == nil && !c.queued && !c.closing && !c.writing && !c.muted &&
		len(c.out) == c.outFrom && len(c.watching) == 0 && !c.monitor
}
