package command

// getMany runs GETs in the usual case: the entry was found ahead and holds text
// that does not expire. The others need a closer look: see get.
func getMany(c *Call, ops []Op, limit int) int {
	if c.Policy.LFU || c.NoTouch {
		return 0
	}
	first, n := ops[0], 0
	space, clock := c.home(first.DB), c.second()
	for n < len(ops) && c.Reply.Len() <= limit {
		op := &ops[n]
		if op.Row != first.Row || op.DB != first.DB {
			break
		}
		value, ok := space.Glance(op.Near, c.spans[op.First+1].In(c.buf), clock)
		if !ok {
			break
		}
		c.Reply.Bulk(value)
		c.Note()
		n++
	}
	c.Hits += uint64(n)
	return n
}

// setMany runs SETs without options in the usual case: the entry was found ahead
// and holds text of the same length that does not expire, and nobody listens.
// The others need a closer look: see set.
func setMany(c *Call, ops []Op, limit int) int {
	if c.Policy.LFU || c.listen != nil {
		return 0
	}
	first, n := ops[0], 0
	space, clock := c.home(first.DB), c.second()
	for n < len(ops) && c.Reply.Len() <= limit {
		op := &ops[n]
		if op.Row != first.Row || op.DB != first.DB || op.Argc != 3 {
			break
		}
		key, value := c.spans[op.First+1].In(c.buf), c.spans[op.First+2].In(c.buf)
		if len(value) <= maxIntText || !space.Replace(op.Near, key, value, textKind(value), clock) {
			break
		}
		c.Reply.OK()
		c.Note()
		n++
	}
	c.Changes += uint64(n)
	return n
}
