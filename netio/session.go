package netio

import (
	"math"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// session is what the node remembers of one client.
type session struct {
	client  int64 // the id that CLIENT ID tells
	created int64 // monotonic nanoseconds
	db      int
	proto   uint8
	name    string
	libName string
	libVer  string
	noTouch bool
	noEvict bool
	monitor bool

	readOnly  bool // READONLY: it would read from a replica
	asking    bool // ASKING: the next request may be of a slot that comes to this node
	silence   silence
	tx        *transaction
	watching  []watched
	watchedIn map[watchedName]bool // index of watching, when that is long
	lastRow   uint16               // row of the last command, noRow if there is no such command
	calls     uint64               // commands processed
}

// noRow stands for a command that is in no row.
const noRow = math.MaxUint16

// silence says which replies a client wants (CLIENT REPLY).
type silence uint8

const (
	silenceOff  silence = iota // all
	silenceOn                  // none
	silenceNext                // all but the next one
	silenceThis                // this one is dropped
)

// Request is one command of a connection as the functions of netio see it.
// There is one a loop; it is valid while the function runs.
type Request struct {
	command.Args
	Loop  *Loop
	Conn  *Conn
	Reply *resp.Writer
	Row   *command.Row

	wanted bool // that the reply is an error was asked for
}

// inExec tells that the request was queued and runs within EXEC.
func (r *Request) inExec() bool { return r.Conn.batch.open }

// sessionRow is a command whose function needs the connection or the node.
type sessionRow struct {
	name string // as in the command table
	// still says that all loops stand still while the function runs, so that it
	// may look at and change any of them.
	still bool
	do    func(*Request)
}

// newSession is the state of a client that has just connected, or RESET.
func (l *Loop) newSession(c *Conn) {
	id, created := c.client, c.created
	c.session = session{client: id, created: created, proto: 2}
	c.care = 0
	if l.cfg.Requirepass.IsSet() {
		c.care = careGuest
	}
}

// runSession executes the next request by a function of netio.
func (l *Loop) runSession(c *Conn, b *batch) bool {
	row := &command.Table[b.ops[b.next].Row]
	if row == execRow {
		return l.exec(c, b)
	}
	if e := l.forbids(c, row); e != "" {
		l.deny(c, b, row, e)
		return true
	}
	s := l.node.sessionRows[row.ID]
	set := shardSet{}
	switch {
	case s.still:
		set = l.node.all
	case row.Scope == command.ByKeys:
		set = l.setOf(b, b.next)
	}
	if set == (shardSet{}) { // the common case allocates no function
		l.runHere(c, b, row)
		if c.awaits != nil {
			l.await(c, b)
			return false
		}
		return !l.outstays(c)
	}
	return l.atBarrier(c, set, func() {
		if l.runHere(c, b, row); c.awaits != nil {
			l.await(c, b)
		}
	})
}

// runHere executes the next request by its function of netio, now.
func (l *Loop) runHere(c *Conn, b *batch, row *command.Row) {
	at, monitors := b.next, c.monitor
	b.next++
	l.callSession(c, b.args(at), row, &b.out)
	l.show(c, b.args(at), row)
	l.rebind(c, b)
	if c.monitor && !monitors && !b.mute {
		// The reply to MONITOR goes ahead of the lines, and clients that read
		// it apart from them are not confused.
		if l.flush(c); !c.closed {
			l.sendNow(c)
		}
	}
}

// callSession runs one function of netio.
func (l *Loop) callSession(c *Conn, args command.Args, row *command.Row, reply *resp.Writer) {
	s := l.node.sessionRows[row.ID]
	r := &l.request
	*r = Request{Args: args, Loop: l, Conn: c, Reply: reply, Row: row}
	reply.Proto = c.proto
	c.lastRow = row.ID
	c.calls++
	l.acting = c
	l.timed(row, args, reply, func() { s.do(r) })
	*r = Request{}
}

// timed runs a command that no shard runs, and counts it and its reply.
func (l *Loop) timed(row *command.Row, args command.Args, reply *resp.Writer, run func()) {
	from := reply.Len()
	l.shard.Timed(row.ID, veiled(row, args), run)
	if !l.request.wanted {
		l.shard.NoteReply(row.ID, reply.Since(from))
	}
}

// await begins what the request that ran waits for. The connection waits until
// it is done; its loop goes on.
func (l *Loop) await(c *Conn, b *batch) {
	work := c.awaits
	c.awaits = nil
	b.owed = 1
	l.flush(c)
	l.node.plane.Go(func() {
		answer := work()
		l.post(func(l *Loop) { l.awaited(c, b, answer) })
	})
}

// awaited replies to a request that had to wait, and goes on.
func (l *Loop) awaited(c *Conn, b *batch, answer func(*resp.Writer)) {
	b.owed--
	if c.closed {
		l.abandon(c, b)
		return
	}
	from := b.out.Len()
	b.out.Proto = c.proto
	answer(&b.out)
	l.shard.NoteReply(l.rowOf(b, b.next-1).ID, b.out.Since(from))
	l.resume(c)
}

// rebind gives the requests that follow in the batch the database and protocol
// that the client has now.
func (l *Loop) rebind(c *Conn, b *batch) {
	for i := b.next; i < len(b.ops); i++ {
		op := &b.ops[i]
		op.DB, op.Proto, op.Near = uint16(c.db), c.proto, 0
	}
}

// endSession forgets what the node remembers of a client that is gone.
func (l *Loop) endSession(c *Conn) {
	l.unwatch(c)
	c.tx = nil
	if c.monitor {
		c.monitor = false
		l.node.monitors.Add(-1)
	}
}
