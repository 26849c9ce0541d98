package netio

import (
	"slices"
	"strings"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/resp"
)

// most is how many operations run between two looks at the output and at the
// barriers.
const most = 64

// run executes the connection's requests in order and reports whether all of
// them are done. When one has to wait for another loop, the rest waits with it
// in c.batch, and run is called again.
func (l *Loop) run(c *Conn) bool {
	b := c.batch
	for b.next < len(b.Requests) && !c.closing {
		if b.out.Len() > flushAt || b.out.Lost {
			if l.flushMany(c, b) {
				return false
			}
			continue
		}
		l.routeAhead(c, b)
		b.out.Limit, b.careful = l.replyLimit(c), c.care|l.care != 0
		done := false
		switch {
		case b.next < b.dealt:
			done = l.runDealt(c, b)
		case c.care|l.care != 0:
			c.endSilence(b)
			done = l.runCarefully(c, b)
		default:
			done = l.runNext(c, b)
		}
		if !done {
			return false
		}
	}
	c.endSilence(b)
	if (b.out.Len() > flushAt || b.out.Lost) && l.flushMany(c, b) {
		return false
	}
	return !c.closed
}

// yieldAt is how many bytes of replies a batch may make before it is the turn of
// other connections: short requests can ask for a lot.
const yieldAt = 128 << 10

// flushMany sends replies in the middle of a batch. It tells whether the batch
// has to wait for the next Step.
func (l *Loop) flushMany(c *Conn, b *batch) bool {
	c.endSilence(b)
	if b.out.Lost {
		l.drown(c, b.out.Len())
		return true
	}
	b.made += b.out.Len()
	if l.flush(c); c.closed {
		return true
	}
	resting := c.rest != nil // and resumed by what sends that
	l.sendNow(c)
	if resting || b.made < yieldAt || c.closed {
		return resting
	}
	b.made = 0
	l.later(c)
	return true
}

// replyLimit is how many bytes of replies may be made for a connection before
// it is closed for them, 0 for any number.
func (l *Loop) replyLimit(c *Conn) int {
	hard := l.outputLimit().Hard
	if hard == 0 {
		return 0
	}
	return max(1, int(hard)-c.waiting())
}

// runNext executes the next request, or several that have the same target, and
// reports whether the connection may go on.
func (l *Loop) runNext(c *Conn, b *batch) bool {
	to := b.routes[b.next]
	switch to.to {
	case toShard:
		if l.relaxed && len(b.ops)-b.next > 1 {
			return l.runOverlapped(c, b)
		}
		return l.runOn(c, b, int(to.shard), b.sameTarget(stride))
	case toMany:
		return l.runEverywhere(c, b)
	case toSession:
		return l.runSession(c, b)
	}
	l.answerNowhere(c, b)
	return true
}

// sameTarget counts the requests from the next one on that go to its shard.
func (b *batch) sameTarget(most int) int {
	to := b.routes[b.next]
	n := 1
	for b.next+n < len(b.routes) && n < most && b.routes[b.next+n] == to {
		n++
	}
	return n
}

// runOn executes the next n requests on one shard.
func (l *Loop) runOn(c *Conn, b *batch, shard, n int) bool {
	owner, ops := l.node.loops[shard], b.ops[b.next:b.next+n]
	borrowed := owner != l && l.borrow(owner, b, ops)
	if owner != l && !borrowed {
		return l.sendOn(c, b, owner, n)
	}
	b.lend()
	owner.actFor(c)
	n, waits := owner.do(b, ops, &b.out)
	b.next += n
	b.settleLoan()
	if borrowed {
		l.giveBack(owner)
	}
	if waits {
		l.later(c)
	}
	return !waits
}

// sendOn has another loop execute the next n requests, or all that are scattered be run at a
// barrier.
func (l *Loop) sendOn(c *Conn, b *batch, owner *Loop, n int) bool {
	if !b.careful && !l.relaxed && l.join(c, b) {
		return false
	}
	b.lend()
	m := &b.hop
	m.kind, m.from, m.conn, m.batch = askRun, l, c, b
	m.first, m.last = b.next, b.next+n
	m.reply.Limit = b.out.Limit
	b.owed = 1
	l.send(owner, m)
	return false
}

// do executes operations of a batch on this loop's shard and tells how many it
// did, and whether the next one has to be run again to get done.
func (l *Loop) do(b *batch, ops []command.Op, out *resp.Writer) (n int, waits bool) {
	if b.region != nil {
		l.node.stores[l.id].Lend(b.region, b.soiled)
	}
	if b.careful {
		n = l.shard.Do(ops, b.buf, b.Spans, out)
	} else {
		n, waits = l.shard.DoWaiting(ops, b.buf, b.Spans, out)
	}
	if b.region != nil && l.node.stores[l.id].Recall() {
		b.region = nil
	}
	return n, waits
}

// actFor tells the shard whose commands it runs next.
func (l *Loop) actFor(c *Conn) {
	l.acting = c
	l.shard.NoTouch(c.noTouch)
}

// answered takes the reply of another loop and goes on.
func (l *Loop) answered(m *message) {
	c, b := m.conn, m.batch
	b.owed--
	if c.closed {
		l.abandon(c, b)
		return
	}
	if b.owed > 0 {
		return
	}
	if m != &b.hop {
		l.gather(b)
	} else {
		b.next = m.last
		b.out.Move(&m.reply)
		m.trim()
	}
	b.settleLoan()
	l.resume(c)
}

// trim keeps an idle message from holding a large reply.
func (m *message) trim() {
	if cap(m.reply.Buf) > 4*readSize {
		m.reply.Buf = nil
	}
}

// abandon gives up a batch whose connection is gone.
func (l *Loop) abandon(c *Conn, b *batch) {
	if b != nil && b.owed == 0 && c.batch == b {
		c.batch = nil
		l.dropBatch(b)
		l.charge(c)
	}
}

// resume goes on with a connection whose request was waiting.
func (l *Loop) resume(c *Conn) {
	if c.closed {
		l.abandon(c, c.batch)
		return
	}
	if c.batch.owed > 0 {
		return // whoever owes it goes on
	}
	if l.run(c) {
		l.settle(c)
	}
}

// settle ends a batch of which all requests ran: what is left of the next
// request is kept, the replies are sent.
func (l *Loop) settle(c *Conn) {
	b := c.batch
	c.count(b)
	if b.fault != nil && !c.closing {
		l.refuse(c, b)
		return
	}
	if !c.closing && b.Pos < b.end {
		if b.stopped {
			l.parse(c)
			l.resume(c)
			return
		}
		l.flush(c)
		if c.closed {
			return
		}
		if l.keepLeft(c, b) {
			c.batch = nil
			l.unmute(c)
			l.charge(c)
			return
		}
	}
	l.finish(c)
}

// count notes the last command and how many there were.
func (c *Conn) count(b *batch) {
	if n := len(b.ops); n > 0 {
		if b.routes[n-1].to != toNowhere {
			c.lastRow = b.ops[n-1].Row
		}
		c.calls += uint64(n)
	}
}

// finish sends the replies and gives the batch back.
func (l *Loop) finish(c *Conn) {
	b := c.batch
	if l.flush(c); c.closed {
		l.abandon(c, b)
		return
	}
	if c.closing && len(c.out) == c.outFrom {
		l.close(c)
	}
	if c.closed {
		return
	}
	c.batch = nil
	l.dropBatch(b)
	l.unmute(c)
	l.charge(c)
}

// runEverywhere executes the next request at a barrier over its shards, and
// with it those right behind it that need no others: a barrier costs more than
// most commands.
func (l *Loop) runEverywhere(c *Conn, b *batch) bool {
	set := l.setOf(b, b.next)
	end := b.next + 1
	if c.care|l.care == 0 {
		for end < len(b.ops) && l.runsWithin(b, end, set) {
			end++
		}
	}
	return l.atBarrier(c, set, func() {
		for more := true; more; more = b.next < end && b.out.Len() <= flushAt && !b.out.Lost {
			l.actFor(c)
			l.doWide(b.ops[b.next], b.buf, b.Spans, &b.out)
			b.next++
		}
	})
}

// runsWithin tells whether request i needs no other shards than those of a set.
func (l *Loop) runsWithin(b *batch, i int, set shardSet) bool {
	switch to := b.routes[i]; to.to {
	case toShard:
		return set.has(int(to.shard))
	case toMany:
		need := l.setOf(b, i)
		need.merge(set)
		return need == set
	}
	return false
}

// atBarrier runs work with the shards of a set standing still. The connection
// waits until it has run.
func (l *Loop) atBarrier(c *Conn, set shardSet, work func()) bool {
	if set.only() == l.id || set == (shardSet{}) {
		b := c.batch
		work()
		return b.owed == 0 && !l.outstays(c)
	}
	l.raise(set, func() {
		l.lookTogether(set)
		if !c.closed && !l.mustWait(c, l.rowOf(c.batch, c.batch.next)) {
			work()
		}
		if c.closed || c.batch.owed == 0 {
			l.later(c) // to wait for the end of a pause, if one has begun meanwhile
		}
	})
	return false
}

// later lists a connection to be resumed in this Step.
func (l *Loop) later(c *Conn) {
	if !c.queued {
		c.queued = true
		l.ready = append(l.ready, c)
	}
}

// setOf is the set of shards that request i needs.
func (l *Loop) setOf(b *batch, i int) shardSet {
	row := &command.Table[b.ops[i].Row]
	if row.Scope == command.AllShards {
		return l.node.all
	}
	set, _ := l.shardsOf(row, b.args(i))
	return set
}

// answerNowhere replies to a request that no row fits.
func (l *Loop) answerNowhere(c *Conn, b *batch) {
	args := b.args(b.next)
	b.next++
	if speaksHTTP(args.At(0)) {
		if args, ok := l.told.http.Line(l.mono, "client", c.peer.Remote); ok {
			l.node.log.Warn("possible attack: a client speaks HTTP; its connection is closed", args...)
		}
		l.close(c)
		return
	}
	row, err := command.Resolve(args)
	if l.view != nil && row == nil && movesKeys(args.At(0)) {
		err = resp.NoCommandYet(args.At(0))
	}
	c.lastRow = noRow
	if row != nil {
		c.lastRow = row.ID
	}
	l.refuseRow(c, b, row, resp.AsError(err))
}

// refuseRow replies with the error for which a command does not run; row may
// be nil. An EXEC that does not run ends the transaction.
func (l *Loop) refuseRow(c *Conn, b *batch, row *command.Row, e resp.Error) {
	if row == execRow {
		l.endTransaction(c)
		e = resp.ExecAborted(e)
	}
	l.shard.Reject(row)
	l.shard.CountError(e)
	b.out.Proto = c.proto
	b.out.Error(e)
}

// movesKeys recognises the commands by which Redis moves keys between nodes.
func movesKeys(name []byte) bool {
	return slices.ContainsFunc([]string{"dump", "migrate", "restore", "restore-asking"}, func(known string) bool { return is(name, known) })
}

// speaksHTTP recognises a web page that was made to send its request here.
func speaksHTTP(name []byte) bool {
	return strings.EqualFold(string(name), "post") || strings.EqualFold(string(name), "host:")
}

// pipelineOrder takes over the option.
func (l *Loop) pipelineOrder(order config.Order) {
	l.relaxed = order == config.Relaxed && len(l.node.loops) > 1
}
