package command

import "github.com/elares/ironcache/engine/keyspace"

// glance gives the string at the key of argument 1 in the usual case: its
// entry was found ahead and holds text that does not expire. Otherwise it tells
// that a closer look is needed.
func (c *Call) glance() (value []byte, ok bool) {
	if c.op.Near == 0 || c.Policy.LFU || c.NoTouch {
		return nil, false
	}
	value, ok = c.home(c.op.DB).Glance(c.op.Near, c.Arg(1), c.second())
	if ok {
		c.Hits++
	}
	return value, ok
}

// replace stores argument 2 at the key of argument 1 in the usual case: its
// entry was found ahead and holds text of the same length that does not
// expire, and nobody listens. It tells whether it did.
func (c *Call) replace() bool {
	value := c.Arg(2)
	if c.op.Near == 0 || c.Policy.LFU || c.listen != nil || len(value) <= maxIntText {
		return false
	}
	kind := keyspace.KindRaw
	if len(value) <= maxEmbstr {
		kind = keyspace.KindEmbstr
	}
	return c.home(c.op.DB).Replace(c.op.Near, c.Arg(1), value, kind, c.second())
}
