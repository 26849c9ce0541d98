package netio

import (
	"sync/atomic"

	"github.com/elares/ironcache/engine/command"
)

// pause is CLIENT PAUSE: until a moment, requests wait instead of being run.
type pause struct {
	until  atomic.Int64 // monotonic nanoseconds; 0: no pause
	writes atomic.Bool  // only requests that may write wait
}

// hold begins a pause or prolongs the one that is on. The kind of the longer
// one wins, and holding all back wins over holding writes back. All loops stand
// still, and what is under way between them is done first: nothing that is to
// be held back happens after the reply.
func (n *Node) hold(now, until int64, writesOnly bool) {
	if n.paused.until.Load() > now {
		until = max(until, n.paused.until.Load())
		writesOnly = writesOnly && n.paused.writes.Load()
	}
	n.paused.writes.Store(writesOnly)
	n.paused.until.Store(until)
	for _, l := range n.loops {
		l.serveAhead()
		l.heed()
	}
}

// unhold ends a pause now. All loops stand still.
func (n *Node) unhold() {
	n.paused.until.Store(0)
	for _, l := range n.loops {
		l.resumeAt = min(l.resumeAt, 1)
		l.heed()
	}
}

// cares gives the reasons for all loops to look closely.
func (n *Node) cares(now int64) (c care) {
	if n.monitors.Load() > 0 {
		c |= careWatched
	}
	if n.paused.until.Load() > now {
		c |= carePaused
	}
	if n.plane != nil {
		c |= careCluster
	}
	return c
}

// heed takes over the reasons of the node. During a pause nothing expires.
func (l *Loop) heed() {
	l.care = l.node.cares(l.mono)
	l.shard.Spare(l.care&carePaused != 0)
}

// held tells whether a request has to wait for the end of a pause; its
// connection is then listed for resumption, and what it has earned is sent.
func (l *Loop) held(c *Conn, row *command.Row) bool {
	if l.care&carePaused == 0 || !l.mustWait(c, row) {
		return false
	}
	l.flush(c)
	l.waiting = append(l.waiting, c)
	l.resumeAt = l.node.paused.until.Load()
	return true
}

// mustWait tells whether a pause is on that holds such a request back.
func (l *Loop) mustWait(c *Conn, row *command.Row) bool {
	if l.node.paused.until.Load() <= l.mono {
		return false
	}
	if l.node.paused.writes.Load() {
		return mayWrite(c, row)
	}
	return row.Name != "client|unpause"
}

// mayWrite tells whether a request could change data.
func mayWrite(c *Conn, row *command.Row) bool {
	if row == execRow && c.tx != nil {
		for _, op := range c.tx.ops {
			if command.Table[op.Row].Flags&command.Write != 0 {
				return true
			}
		}
		return false
	}
	return row.Flags&(command.Write|command.MayReplicate) != 0
}

// resumeHeld goes on with the connections that a pause held back, once it is
// over.
func (l *Loop) resumeHeld() {
	until := l.node.paused.until.Load()
	if until > l.mono {
		l.resumeAt = until
		return
	}
	l.resumeAt = 0
	waiting := l.waiting
	l.waiting = nil
	for _, c := range waiting {
		if !l.dropGone(c) {
			l.later(c)
		}
	}
}

// heldLook is how many held connections one cron looks at.
const heldLook = 256

// tendHeld closes held connections whose peers have gone: some of them, in
// turn.
func (l *Loop) tendHeld() {
	n := min(len(l.waiting), heldLook)
	look := l.waiting[:n]
	l.waiting = l.waiting[n:]
	for _, c := range look {
		if !l.dropGone(c) {
			l.waiting = append(l.waiting, c)
		}
	}
}

// dropGone closes a held connection if its peer has gone: as in Redis, what it
// asked for is never run. It reports whether the connection is closed.
func (l *Loop) dropGone(c *Conn) bool {
	if !c.closed && l.poller.Gone(c.id) {
		l.close(c)
	}
	return c.closed
}
