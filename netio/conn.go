package netio

import (
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim/env"
)

// care is a set of reasons to look at a connection's requests one by one. A
// connection without any takes the short way.
type care uint16

const (
	careGuest   care = 1 << iota // it has to authenticate first
	careMulti                    // it queues a transaction
	careSilent                   // CLIENT REPLY OFF or SKIP
	careWatched                  // somebody MONITORs the node
	carePaused                   // CLIENT PAUSE holds requests back
	careCluster                  // slots may be other nodes'
)

// Conn is a client's connection, owned by one loop at a time.
type Conn struct {
	id   env.Conn
	loop *Loop // nil while it is between two
	peer env.Peer
	own  bool // it came to the port of its loop, and stays
	session
	care care

	parser resp.Parser
	batch  *batch // requests that wait for something; nil when none do
	// The start of a request whose end has not arrived: in left when it is
	// short, else in a batch of its own, which grows in place.
	left []byte
	long *batch

	out     []byte // replies that the socket did not take yet
	outFrom int    // out[:outFrom] was sent
	backlog backlog
	// Since when, in monotonic nanoseconds, out is above the soft limit; 0
	// when it is not.
	softSince int64

	// What is left to be sent of the last reply; nil when it is all in out.
	rest *rest

	// What the request that just ran waits for: it runs elsewhere and gives a
	// function that replies. nil: nothing.
	awaits func() func(*resp.Writer)

	closing bool // no request is read any more; closed when out is sent
	killed  bool // by CLIENT KILL: its loop closes it as soon as it hears of that
	closed  bool // gone from the poller; only messages under way refer to it
	muted   bool // reading is turned off while requests wait
	writing bool // WantWrite is on
	unsent  bool // it stands in its loop's list of those with replies to send

	queued  bool // it stands in its loop's ready list
	touched int64
	charged int // bytes of buffers as counted in the ledger
	mapped  int // part of it: bytes of regions
}

// attach starts serving an accepted or handed-over connection.
func (l *Loop) attach(c *Conn) {
	c.loop = l
	for len(l.conns) <= int(c.id) {
		l.conns = append(l.conns, nil)
	}
	l.conns[c.id] = c
	l.clients.Add(1)
}

// limits are those of the connection's client.
func (l *Loop) limits(c *Conn) *resp.Limits {
	if c.care&careGuest != 0 {
		return &l.guestLimits
	}
	return &l.clientLimits
}

// readable takes what a connection sent and runs it.
func (l *Loop) readable(c *Conn) {
	if c.batch != nil || c.closing {
		l.mute(c)
		return
	}
	b := l.batchFor(c)
	n, err := l.poller.Read(c.id, b.space())
	if err != nil {
		if !l.keepLeft(c, b) {
			l.dropBatch(b)
		}
		if err != env.ErrAgain {
			l.close(c)
		}
		return
	}
	l.took(b, n)
	if int64(b.end) > l.cfg.ClientQueryBufferLimit {
		l.overflowed(c, b)
		return
	}
	c.touched = l.mono
	l.stats.netIn += uint64(n)
	l.stats.reads++
	c.batch = b
	l.parse(c)
	l.resume(c)
}

// batchFor gives the batch to read into, with what is left of a request.
func (l *Loop) batchFor(c *Conn) *batch {
	b := c.long
	if b == nil {
		b = l.takeBatch()
		b.end = copy(b.buf, c.left)
		c.left = c.left[:0]
	}
	c.long = nil
	l.room(b)
	return b
}

// keepLeft keeps what is left of a request, all of the batch from its Pos on.
// It reports whether the batch itself was kept.
func (l *Loop) keepLeft(c *Conn, b *batch) bool {
	left := b.buf[b.Pos:b.end]
	if len(left) <= longLeft {
		c.left = append(c.left[:0], left...)
		return false
	}
	need := b.Need
	if b.Pos > 0 {
		b.end = copy(b.buf, left)
	}
	b.clear()
	b.Need = need
	c.long = b
	return true
}

// longLeft is how many bytes of an unfinished request are copied rather than
// left in their batch.
const longLeft = 4 << 10

// overflowed closes a client that sends a longer request than it may.
func (l *Loop) overflowed(c *Conn, b *batch) {
	l.node.log.Warn("client closed: its request passed client-query-buffer-limit",
		"client", c.peer.Remote, "bytes", b.end)
	l.stats.queryLimitClosed++
	l.dropBatch(b)
	l.close(c)
}

// parse finds the requests in what was read and routes them.
func (l *Loop) parse(c *Conn) {
	b := c.batch
	limits, before := l.limitsIn(c, b), len(b.Requests)
	b.fault = c.parser.Parse(b.buf[:b.end], &b.Batch, limits)
	b.stopped = limits.Requests > 0 && len(b.Requests) > before
}

// refuse ends a connection whose stream is broken, after the replies to what
// came before.
func (l *Loop) refuse(c *Conn, b *batch) {
	b.out.Proto = c.proto
	b.out.Error(b.fault.Reply())
	l.hangUp(c)
	l.finish(c)
}

// hangUp ends a connection once its replies are sent. Nothing more is read.
func (l *Loop) hangUp(c *Conn) {
	c.closing = true
	c.left = nil
}

// mute stops reports of bytes that cannot be used now, so that the poller does
// not spin on them.
func (l *Loop) mute(c *Conn) {
	if !c.muted {
		c.muted = true
		l.poller.WantRead(c.id, false)
	}
}

func (l *Loop) unmute(c *Conn) {
	if c.muted && !c.closing {
		c.muted = false
		l.poller.WantRead(c.id, true)
	}
}

// close ends a connection now.
func (l *Loop) close(c *Conn) {
	if c.closed {
		return
	}
	c.closed, c.closing = true, true
	l.conns[c.id] = nil
	l.poller.Close(c.id)
	l.clients.Add(-1)
	l.node.connected.Add(-1)
	l.endSession(c)
	l.forgetRest(c)
	c.out, c.outFrom, c.backlog, c.left = nil, 0, backlog{}, nil // who served it last may remember it for long
	if c.long != nil {
		l.dropBatch(c.long)
		c.long = nil
	}
	if c.batch != nil && c.batch.owed == 0 && !c.queued {
		l.dropBatch(c.batch)
		c.batch = nil
	}
	l.charge(c)
}
