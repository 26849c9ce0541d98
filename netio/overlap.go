package netio

import (
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/resp"
)

// runOverlapped executes a stretch of requests that each need one shard, all
// shards at the same time: one message a shard. Replies leave in the order of
// the requests; effects on different shards have no order. This is what
// pipeline-order relaxed permits.
func (l *Loop) runOverlapped(c *Conn, b *batch) bool {
	n := 1
	for b.next+n < len(b.routes) && b.routes[b.next+n].to == toShard {
		n++
	}
	n = min(n, 4*most)
	if same := b.sameTarget(n); same == n {
		return l.runOn(c, b, int(b.routes[b.next].shard), min(n, most))
	}
	l.deal(c, b, n)
	return l.ask(c, b)
}

// deal gives each of the next n requests to the message of its shard.
func (l *Loop) deal(c *Conn, b *batch, n int) {
	if b.parts == nil {
		b.parts = make([]message, len(l.node.loops))
	}
	for id := range b.parts {
		m := &b.parts[id]
		m.from, m.conn, m.batch, m.ops = l, c, b, m.ops[:0]
		m.ends, m.taken, m.passed, m.pieces = m.ends[:0], 0, 0, nil
	}
	for i := b.next; i < b.next+n; i++ {
		m := &b.parts[b.routes[i].shard]
		m.ops = append(m.ops, b.ops[i])
	}
	b.dealt = b.next + n
}

// runDealt goes on with a stretch of which some requests have not run, because
// the replies to others were large.
func (l *Loop) runDealt(c *Conn, b *batch) bool {
	for id := range b.parts {
		m := &b.parts[id]
		for _, op := range m.ops[len(m.ends):] {
			if l.held(c, &command.Table[op.Row]) {
				return false
			}
		}
	}
	return l.ask(c, b)
}

// ask has those shards run dealt requests whose replies so far are all taken.
func (l *Loop) ask(c *Conn, b *batch) bool {
	for id := range b.parts {
		m := &b.parts[id]
		if id == l.id || !m.next() {
			continue
		}
		m.kind, m.reply.Limit = askRun, b.out.Limit
		owner := l.node.loops[id]
		if l.borrow(owner, b, m.ops) {
			owner.execute(m, m.ops)
			l.giveBack(owner)
			continue
		}
		b.owed++
		l.send(owner, m)
	}
	if m := &b.parts[l.id]; m.next() {
		m.reply.Limit = b.out.Limit
		l.actFor(c)
		l.doEach(m, m.ops)
	}
	if b.owed > 0 {
		return false
	}
	l.gather(b)
	return true
}

// next drops what has run, if its replies are taken, and tells
// whether there is more to run.
func (m *message) next() bool {
	if m.taken < len(m.ends) {
		return false
	}
	m.ops = m.ops[:copy(m.ops, m.ops[len(m.ends):])]
	m.ends, m.taken, m.passed, m.pieces = m.ends[:0], 0, 0, nil
	return len(m.ops) > 0
}

// doEach runs a message's operations on this loop's shard, as many as their
// replies allow.
func (l *Loop) doEach(m *message, ops []command.Op) {
	b := m.batch
	m.ends = l.shard.DoEach(ops, b.buf, b.Spans, &m.reply, m.ends[:0])
}

// gather puts the replies of all shards into the order of the requests, up to
// the first request that has not run.
func (l *Loop) gather(b *batch) {
	for ; b.next < b.dealt; b.next++ {
		m := &b.parts[b.routes[b.next].shard]
		if m.taken == len(m.ends) {
			break
		}
		m.pass(b)
	}
	for id := range b.parts {
		if m := &b.parts[id]; m.taken == len(m.ends) {
			m.reply.Reset()
			m.trim()
		}
	}
}

// pass moves the reply that comes next to those of the batch.
func (m *message) pass(b *batch) {
	end := m.ends[m.taken]
	n := end - m.passed
	m.taken++
	m.passed = end
	b.out.Lost = b.out.Lost || m.reply.Lost
	if !m.reply.Pieces() && m.pieces == nil {
		b.out.Raw(m.reply.Buf[end-n : end])
		return
	}
	if m.reply.Pieces() {
		m.pieces = m.reply.Take()
	}
	for n > 0 {
		p := &m.pieces[0]
		size := p.Len()
		if size > n {
			b.out.Raw(p.Bytes[:n])
			p.Bytes = p.Bytes[n:]
			return
		}
		b.out.Add(*p)
		*p = resp.Piece{}
		m.pieces = m.pieces[1:]
		n -= size
	}
}
