package netio

import (
	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim/env"
)

// flushAt is how many bytes of replies are gathered before they are sent in
// the middle of a batch.
const flushAt = 64 << 10

// sendEvery is how many connections may have replies waiting before they are
// sent. One by one, each reply would wake its client alone.
const sendEvery = 32

// flush hands the replies of the connection's batch over for sending.
func (l *Loop) flush(c *Conn) {
	b := c.batch
	if len(b.touched) > 0 && !l.release(c, b) {
		return
	}
	switch {
	case b.out.Len() == 0 || b.out.Lost: // the connection will be closed for that
		return
	case b.out.Pieces():
		l.follow(c, b.out.Take())
	case len(c.out) == 0:
		c.out, b.out.Buf = b.out.Buf, l.takeOut(c.out)
	case c.join(b.out.Buf):
		b.out.Reset()
	default:
		c.keep(b.out.Buf)
		b.out.Buf = make([]byte, 0, 2*flushAt)
	}
	l.sendSoon(c)
}

// emit hands bytes over for sending, after the replies to what has run already
// and before one that is being written or may have to be dropped. Nobody may
// change them from then on.
func (l *Loop) emit(c *Conn, p []byte) {
	if c.closed {
		return
	}
	if r := c.rest; r != nil {
		r.after = append(r.after, p...)
		r.left += len(p)
		l.checkOutput(c)
		return
	}
	if b := c.batch; b != nil {
		if b.mute || b.open {
			b.out.Insert(resp.Mark(b.mark), p)
			b.mark += len(p)
			return
		}
		if l.flush(c); c.closed {
			return
		}
	}
	c.put(p)
	l.sendSoon(c)
}

// sendSoon lists the connection for sending: in this Step.
func (l *Loop) sendSoon(c *Conn) {
	if !c.unsent {
		c.unsent = true
		l.unsent = append(l.unsent, c)
	}
}

// sendAll sends what waits.
func (l *Loop) sendAll() {
	for i, c := range l.unsent {
		l.unsent[i] = nil
		c.unsent = false
		if !c.closed && c.outFrom < len(c.out) {
			l.sendNow(c)
		}
	}
	l.unsent = l.unsent[:0]
}

// sendNow sends what the socket takes and keeps the rest, within the client's
// limits.
func (l *Loop) sendNow(c *Conn) {
	if c.writing {
		l.checkOutput(c)
		return
	}
	if l.offer(c) {
		l.wantWrite(c)
	} else if c.closed || c.rest == nil && c.charged == 0 {
		return
	}
	l.checkOutput(c)
	l.charge(c)
}

// offer gives the socket what waits, and tells whether it left anything of it. A
// connection that fails is closed.
func (l *Loop) offer(c *Conn) bool {
	n, err := l.poller.Write(c.id, c.out[c.outFrom:])
	if err != nil && err != env.ErrAgain {
		l.close(c)
		return false
	}
	l.stats.netOut += uint64(n)
	l.stats.writes++
	c.outFrom += n
	if c.outFrom < len(c.out) {
		return true
	}
	l.keepOut(c.out)
	c.out, c.outFrom = nil, 0
	if c.nextPiece() {
		return true
	}
	l.sent(c)
	return false
}

// sent notes that everything written so far is on its way.
func (l *Loop) sent(c *Conn) {
	if c.rest != nil {
		l.fetch(c)
		return
	}
	c.softSince = 0
	if c.writing {
		c.writing = false
		l.poller.WantWrite(c.id, false)
	}
	if c.closing && c.batch == nil {
		l.close(c)
	}
}

// keepOuts is how many idle buffers for replies a loop keeps.
const keepOuts = 256

// takeOut gives an empty buffer for replies, the given one if it is any good.
func (l *Loop) takeOut(have []byte) []byte {
	if n := len(l.outs); cap(have) == 0 && n > 0 {
		have = l.outs[n-1]
		l.outs = l.outs[:n-1]
	}
	return have[:0]
}

// keepOut takes a buffer back.
func (l *Loop) keepOut(buf []byte) {
	if cap(buf) > 0 && cap(buf) <= 4*readSize && len(l.outs) < keepOuts {
		l.outs = append(l.outs, buf[:0])
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
	if l.offer(c); c.closed {
		return
	}
	if c.softSince > 0 {
		l.checkOutput(c)
	}
	l.charge(c)
}

// outputLimit bounds the unread replies of a client: all are normal ones.
func (l *Loop) outputLimit() config.OutputLimit { return l.cfg.OutputLimits[config.ClassNormal] }

// checkOutput closes a connection whose unread replies pass their limit: at once
// above the hard one, above the soft one after its time.
func (l *Loop) checkOutput(c *Conn) {
	limit := l.outputLimit()
	waiting := int64(c.waiting())
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
		l.drown(c, int(waiting))
	}
}

// drown closes a connection for what it has left unread.
func (l *Loop) drown(c *Conn, bytes int) {
	l.node.log.Warn("client closed: its unread replies passed client-output-buffer-limit",
		"client", c.peer.Remote, "bytes", bytes)
	l.stats.outputLimitClosed++
	l.close(c)
}
