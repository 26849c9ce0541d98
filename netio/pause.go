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
// one wins, and holding all back wins over holding writes back.
func (n *Node) hold(until int64, writesOnly bool) {
	if n.paused.until.Load() > 0 {
		until = max(until, n.paused.until.Load())
		writesOnly = writesOnly && n.paused.writes.Load()
	}
	n.paused.writes.Store(writesOnly)
	n.paused.until.Store(until)
	n.setCare(carePaused, true)
}

// unhold ends a pause now.
func (n *Node) unhold() {
	n.paused.until.Store(0)
	n.setCare(carePaused, false)
	for _, l := range n.loops {
		l.wake()
	}
}

// setCare sets or clears a reason for all loops to look closely.
func (n *Node) setCare(reason care, on bool) {
	if on {
		n.care.Or(uint32(reason))
		return
	}
	n.care.And(^uint32(reason))
}

// held tells whether a request has to wait for the end of a pause; its
// connection is then listed for resumption.
func (l *Loop) held(c *Conn, row *command.Row, runs bool) bool {
	until := l.node.paused.until.Load()
	if until == 0 || l.mono >= until {
		return false
	}
	if l.node.paused.writes.Load() && !(runs && mayWrite(c, row)) {
		return false
	}
	if !l.node.paused.writes.Load() && row.Name == "client|unpause" {
		return false
	}
	l.waiting = append(l.waiting, c)
	l.resumeAt = until
	return true
}

// mayWrite tells whether a request could change data.
func mayWrite(c *Conn, row *command.Row) bool {
	if row.Name == "exec" && c.tx != nil {
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
	if until > 0 {
		l.node.paused.until.CompareAndSwap(until, 0)
		l.node.setCare(carePaused, false)
		l.look()
	}
	l.resumeAt = 0
	waiting := l.waiting
	l.waiting = nil
	for _, c := range waiting {
		l.later(c)
	}
}
