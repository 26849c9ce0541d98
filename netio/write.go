package netio

import (
	"github.com/elares/ironcache/sim/env"
)

// flushAt is how many bytes of replies are gathered before they are sent in
// the middle of a batch.
const flushAt = 64 << 10

// flush sends the replies of the connection's batch. What the socket does not
// take is kept, within the client's limits.
func (l *Loop) flush(c *Conn) {
	b := c.batch
	if len(b.out.Buf) == 0 {
		return
	}
	l.emit(c, b.out.Buf)
	b.out.Reset()
}

// emit sends bytes to the client, after those that wait already.
func (l *Loop) emit(c *Conn, p []byte) {
	if c.closed {
		return
	}
	if len(c.out) == c.outFrom {
		n, err := l.poller.Write(c.id, p)
		if err != nil && err != env.ErrAgain {
			l.close(c)
			return
		}
		l.stats.netOut += uint64(n)
		l.stats.writes++
		p = p[n:]
		if len(p) == 0 {
			l.sent(c)
			return
		}
	}
	c.out = append(c.out, p...)
	l.wantWrite(c)
	l.checkOutput(c)
}

// sent notes that everything written so far is on its way.
func (l *Loop) sent(c *Conn) {
	if cap(c.out) > readSize {
		c.out = nil
	}
	c.out, c.outFrom, c.softSince = c.out[:0], 0, 0
	if c.writing {
		c.writing = false
		l.poller.WantWrite(c.id, false)
	}
	if c.closing && (c.batch == nil || len(c.batch.out.Buf) == 0 || c.batch.owed == 0) {
		l.close(c)
	}
}

func (l *Loop) wantWrite(c *Conn) {
	if !c.writing {
		c.writing = true
		l.poller.WantWrite(c.id, true)
	}
}

// writable sends more of what waits.
func (l *Loop) writable(c *Conn) {
	n, err := l.poller.Write(c.id, c.out[c.outFrom:])
	if err == env.ErrAgain {
		return
	}
	if err != nil {
		l.close(c)
		return
	}
	l.stats.netOut += uint64(n)
	l.stats.writes++
	c.outFrom += n
	if c.outFrom == len(c.out) {
		l.sent(c)
	} else if c.outFrom > len(c.out)/2 {
		c.out = append(c.out[:0], c.out[c.outFrom:]...)
		c.outFrom = 0
	}
	if !c.closed {
		l.charge(c)
	}
}

// checkOutput closes a connection whose unread replies pass the limit of its
// class: at once above the hard limit, above the soft one after its time.
func (l *Loop) checkOutput(c *Conn) {
	limit := l.cfg.OutputLimits[c.class()]
	waiting := int64(len(c.out) - c.outFrom)
	over := limit.Hard > 0 && waiting > limit.Hard
	if limit.Soft > 0 && waiting > limit.Soft {
		if c.softSince == 0 {
			c.softSince = l.mono
		}
		over = over || l.mono-c.softSince > limit.SoftSeconds*1e9
	} else {
		c.softSince = 0
	}
	if over {
		l.node.log.Warn("client closed: its unread replies passed client-output-buffer-limit",
			"client", c.peer.Remote, "bytes", waiting)
		l.stats.outputLimitClosed++
		l.close(c)
	}
}
