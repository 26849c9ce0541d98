package netio

import (
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// runCarefully executes one request of a connection that has a reason to be
// looked at closely, and reports whether the connection may go on.
func (l *Loop) runCarefully(c *Conn, b *batch) bool {
	to := b.routes[b.next]
	row := l.rowOf(b, b.next)
	locked := c.care&careGuest != 0 && row.Flags&command.NoAuth == 0
	if to.to != toNowhere && !locked && l.held(c, row) {
		return false
	}
	c.beginSilence(b)
	var at redirected
	if l.care&careCluster != 0 && !locked && to.to != toNowhere {
		at = l.redirect(c, b, row)
	}
	switch {
	case to.to == toNowhere:
		c.asking = c.asking && c.tx != nil
		c.spoil()
		l.answerNowhere(c, b)
	case locked:
		l.deny(c, b, row, resp.ErrNoAuth)
	case at.away != "" && row == execRow:
		l.denyExec(c, b, row, at.away)
	case at.away != "":
		l.deny(c, b, row, at.away)
	case at.there:
		return l.runAtSlot(c, b, row, at)
	case c.care&careMulti != 0 && row.Flags&command.InMulti == 0:
		l.queue(c, b, row)
	case c.care&careMulti != 0 && row.Flags&command.EndsMulti == 0 && l.shard.Full() != "":
		l.deny(c, b, row, resp.ErrOutOfMemory) // as those that are queued are
	default:
		if to.to != toSession {
			l.show(c, b.args(b.next), row)
		}
		return l.runOne(c, b)
	}
	return true
}

// runOne executes the next request alone.
func (l *Loop) runOne(c *Conn, b *batch) bool {
	switch to := b.routes[b.next]; to.to {
	case toShard:
		return l.runOn(c, b, int(to.shard), 1)
	case toMany:
		return l.runEverywhere(c, b)
	}
	return l.runSession(c, b)
}

// rowOf is the row of request i; that of a request that runs nowhere is of no
// use.
func (l *Loop) rowOf(b *batch, i int) *command.Row {
	return &command.Table[b.ops[i].Row]
}

// deny answers a request with an error instead of running it.
func (l *Loop) deny(c *Conn, b *batch, row *command.Row, e resp.Error) {
	b.next++
	c.spoil()
	l.refuseRow(c, b, row, e)
}

// denyExec answers an EXEC with the error by which a cluster turns it away. The
// transaction is over.
func (l *Loop) denyExec(c *Conn, b *batch, row *command.Row, e resp.Error) {
	b.next++
	l.endTransaction(c)
	l.shard.Reject(row)
	l.shard.CountError(e)
	b.out.Proto = c.proto
	b.out.Error(e)
}

// beginSilence notes whether the reply of the request that comes is wanted.
func (c *Conn) beginSilence(b *batch) {
	if c.silence == silenceNext {
		c.silence = silenceThis
	}
	b.mute, b.mark = c.silence != silenceOff, b.out.Len()
}

// endSilence drops the reply of the request that ran, where it is not wanted.
func (c *Conn) endSilence(b *batch) {
	if !b.mute {
		return
	}
	b.mute = false
	if c.silence == silenceOn || c.silence == silenceThis {
		c.loop.forget(b.out.Cut(min(b.mark, b.out.Len())))
	}
	if c.silence == silenceThis {
		c.silence = silenceOff
		c.care &^= careSilent
	}
}
