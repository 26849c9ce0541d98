package netio

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
	local := &b.parts[l.id]
	for id := range b.parts {
		if m := &b.parts[id]; id != l.id && len(m.ops) > 0 {
			m.kind = askRun
			b.owed++
			l.send(l.node.loops[id], m)
		}
	}
	b.next += n
	if len(local.ops) > 0 {
		l.actFor(c)
		local.reply.Reset()
		local.ends = l.shard.DoEach(local.ops, b.buf, b.Spans, &local.reply, local.ends[:0])
	}
	return false
}

// deal gives each of the next n requests to the message of its shard.
func (l *Loop) deal(c *Conn, b *batch, n int) {
	if b.parts == nil {
		b.parts = make([]message, len(l.node.loops))
	}
	for id := range b.parts {
		m := &b.parts[id]
		m.from, m.conn, m.batch, m.ops = l, c, b, m.ops[:0]
	}
	b.dealt = b.next
	for i := b.next; i < b.next+n; i++ {
		m := &b.parts[b.routes[i].shard]
		m.ops = append(m.ops, b.ops[i])
	}
}

// gather puts the replies of all shards into the order of the requests.
func (l *Loop) gather(b *batch) {
	var taken, from [MaxShards]uint32
	for i := b.dealt; i < b.next; i++ {
		shard := b.routes[i].shard
		m := &b.parts[shard]
		end := m.ends[taken[shard]]
		b.out.Raw(m.reply.Buf[from[shard]:end])
		taken[shard]++
		from[shard] = end
	}
	for id := range b.parts {
		b.parts[id].ops = b.parts[id].ops[:0]
		b.parts[id].trim()
	}
}
