package command

import "github.com/elares/ironcache/engine/keyspace"

// del removes keys of any type.
func del(c *Call) error {
	var at spot
	n := int64(0)
	err := c.each(1, c.Argc(), 1, func(_ int, k keyspace.Key) error {
		if c.findIn(&at, c.DB, k); at.entry.Ok() {
			c.remove(&at)
			n++
		}
		return nil
	})
	c.Reply.Int(n)
	return err
}

// remove removes what is at a spot.
func (c *Call) remove(at *spot) {
	at.space.Remove(at.key, at.entry)
	at.entry = none
	c.wrote(at, EventDel)
}

// exists counts the given keys that exist, each as often as it is given.
func exists(c *Call) error {
	return c.countKeys(func(keyspace.Entry) {})
}

// touch notes a use of the given keys and counts those that exist.
func touch(c *Call) error { return c.countKeys(c.touchAnyway) }

// countKeys replies with how many of the given keys exist and calls seen for
// each of them.
func (c *Call) countKeys(seen func(keyspace.Entry)) error {
	n := int64(0)
	err := c.each(1, c.Argc(), 1, func(_ int, k keyspace.Key) error {
		if e := c.alive(c.Space(k), c.DB, k); c.count(e) {
			seen(e)
			n++
		}
		return nil
	})
	c.Reply.Int(n)
	return err
}

// typeOf replies with the name of a value's type.
func typeOf(c *Call) error {
	e := c.peek(1)
	if !e.Ok() {
		c.Reply.Simple("none")
		return nil
	}
	c.Reply.Simple(kinds[e.Kind()].typ)
	return nil
}
