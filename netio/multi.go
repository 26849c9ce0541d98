package netio

import (
	"math"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// transaction is what a client queued since MULTI.
type transaction struct {
	buf     []byte
	spans   []resp.Span
	ops     []command.Op
	set     shardSet // the shards that the queued commands need
	spoiled bool     // a command was refused: EXEC will fail

	// In a cluster: the slot of the queued commands, if one has a key, and
	// whether there is more than one.
	slot    uint16
	keyed   bool
	crossed bool
	asking  bool
}

// execRow is the command that runs what is queued.
var execRow = command.Named([]byte("exec"))

// spoil makes the EXEC to come fail, if the client has a transaction.
func (c *Conn) spoil() {
	if c.tx != nil {
		c.tx.spoiled = true
	}
}

// queue keeps the next request for EXEC.
func (l *Loop) queue(c *Conn, b *batch, row *command.Row) {
	if row.Flags&command.NoMulti != 0 {
		l.deny(c, b, row, resp.ErrInMulti)
		return
	}
	e := l.forbids(c, row)
	if e == "" {
		e = l.shard.Full() // what waits for EXEC takes memory, whatever it is
	}
	if e != "" {
		l.deny(c, b, row, e)
		return
	}
	l.keep(c.tx, b, row)
	b.next++
	b.out.Proto = c.proto
	b.out.Queued()
}

// keep copies request b.next into a transaction.
func (l *Loop) keep(tx *transaction, b *batch, row *command.Row) {
	op, args := b.ops[b.next], b.args(b.next)
	op.First = uint32(len(tx.spans))
	for i := range args.Len() {
		arg := args.At(i)
		tx.spans = append(tx.spans, resp.Span{Off: uint32(len(tx.buf)), Len: uint32(len(arg))})
		tx.buf = append(tx.buf, arg...)
	}
	tx.ops = append(tx.ops, op)
	switch to := b.routes[b.next]; to.to {
	case toShard:
		tx.set.add(int(to.shard))
	case toMany:
		tx.set.merge(l.setOf(b, b.next))
	case toSession:
		if l.node.sessionRows[row.ID].still {
			tx.set.merge(l.node.all)
		}
	}
}

// multi opens a transaction.
func multi(r *Request) {
	if r.Conn.tx != nil {
		r.Reply.Error(resp.ErrNestedMulti)
		return
	}
	r.Conn.tx = &transaction{}
	r.Conn.care |= careMulti
	r.Reply.OK()
}

// discard drops a transaction and what was watched for it.
func discard(r *Request) {
	if r.Conn.tx == nil {
		r.Reply.Error(resp.ErrDiscardWithoutMulti)
		return
	}
	r.Loop.endTransaction(r.Conn)
	r.Reply.OK()
}

func (l *Loop) endTransaction(c *Conn) {
	c.tx = nil
	c.care &^= careMulti
	l.unwatch(c)
}

// exec runs the queued commands as one, with all shards that they or the
// watched keys need standing still.
func (l *Loop) exec(c *Conn, b *batch) bool {
	var set shardSet
	if c.tx != nil && !c.tx.spoiled {
		set = c.tx.set
		for i := range c.watching {
			set.add(c.watching[i].shard)
		}
	}
	return l.atBarrier(c, set, func() {
		at := b.next
		b.next++
		b.out.Proto = c.proto
		b.open, b.mark = true, b.out.Len()
		l.timed(l.rowOf(b, at), b.args(at), &b.out, func() { l.execNow(c, b) })
		b.open = false
		l.show(c, b.args(at), l.rowOf(b, at))
		l.rebind(c, b)
	})
}

func (l *Loop) execNow(c *Conn, b *batch) {
	tx := c.tx
	if tx == nil {
		b.out.Error(resp.ErrExecWithoutMulti)
		return
	}
	full := l.full(tx)
	clean := !tx.spoiled && l.watchesHold(c)
	away := resp.Error("")
	if tx.keyed && !tx.spoiled && l.view != nil {
		away = l.placedAll(tx)
	}
	l.endTransaction(c)
	switch {
	case away != "":
		b.out.Error(away)
	case full != "":
		b.out.Error(resp.ExecAborted(full))
	case tx.spoiled:
		b.out.Error(resp.ErrExecAbort)
	case !clean:
		b.out.NullArray()
	default:
		l.execAll(c, tx, &b.out)
	}
}

// full tells the error with which a transaction is turned away as a whole for
// lack of memory on a shard that it needs; empty when it may run. For one that
// will not run anyhow only this loop stands still.
func (l *Loop) full(tx *transaction) resp.Error {
	if !tx.takesMemory() {
		return ""
	}
	for _, other := range l.node.loops {
		if other == l || !tx.spoiled && tx.set.has(other.id) {
			if e := other.shard.Full(); e != "" {
				return e
			}
		}
	}
	return ""
}

// takesMemory tells whether a queued command may need memory.
func (tx *transaction) takesMemory() bool {
	for _, op := range tx.ops {
		if command.Table[op.Row].Flags&command.DenyOOM != 0 {
			return true
		}
	}
	return false
}

// execAll replies with the array of what the queued commands reply.
func (l *Loop) execAll(c *Conn, tx *transaction, out *resp.Writer) {
	l.shard.Grant(true)
	defer l.shard.Grant(false)
	out.Array(len(tx.ops))
	end := math.MaxInt // of the reply to a command that ends the connection
	for _, op := range tx.ops {
		op.DB, op.Proto = uint16(c.db), c.proto
		row := &command.Table[op.Row]
		args := command.Args{Buf: tx.buf, Spans: tx.spans[op.First : op.First+op.Argc]}
		if row.Do != nil {
			l.show(c, args, row)
			l.actFor(c)
			l.doWide(op, tx.buf, tx.spans, out)
			continue
		}
		l.callSession(c, args, row, out)
		l.show(c, args, row)
		l.hurry()
		if c.closing {
			end = min(end, out.Len())
		}
	}
	out.Truncate(min(end, out.Len()))
}
