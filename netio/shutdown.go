package netio

// Run takes turns until the loop is told to end, then closes what it holds.
func (l *Loop) Run() {
	for l.Step(true) {
	}
	l.shut()
}

// Stop ends all loops, soon. Any thread may call it.
func (n *Node) Stop() { n.Post((*Loop).stopAll) }

// stopAll ends all loops at one barrier, so that none waits for one that is
// gone.
func (l *Loop) stopAll() {
	if l.barrier != nil {
		return // two calls to stop came together
	}
	l.raiseOrRun(l.node.all, func() {
		for _, other := range l.node.loops {
			other.ended = true
		}
	})
}

// raiseOrRun is raise for work that belongs to no connection.
func (l *Loop) raiseOrRun(set shardSet, work func()) {
	if set.only() == l.id {
		work()
		return
	}
	l.raise(set, work)
}

// shut closes the connections, those that were about to be handed over too, and
// the poller.
func (l *Loop) shut() {
	for _, r := range l.inbox {
		if r == nil {
			continue
		}
		for m := r.pop(); m != nil; m = r.pop() {
			switch m.kind {
			case askCall:
				m.call(l)
			case askTake:
				l.takeOver(m.conn)
			}
		}
	}
	for _, c := range l.conns {
		if c != nil {
			l.close(c)
		}
	}
	l.poller.Shut()
}
