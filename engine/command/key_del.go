package command

// del removes keys of any type.
func del(c *Call) error {
	var at spot
	n := 0
	for i := 1; i < c.Argc(); i++ {
		if c.find(&at, i); at.entry.Ok() {
			c.remove(&at)
			n++
		}
	}
	c.Reply.Int(int64(n))
	return nil
}

// remove removes what is at a spot.
func (c *Call) remove(at *spot) {
	at.space.Remove(at.key, at.entry)
	at.entry = none
	c.wrote(at, EventDel)
}

// exists counts the given keys that exist, each as often as it is given.
func exists(c *Call) error {
	n := 0
	for i := 1; i < c.Argc(); i++ {
		if c.peek(i).Ok() {
			n++
		}
	}
	c.Reply.Int(int64(n))
	return nil
}

// touch notes a use of the given keys and counts those that exist.
func touch(c *Call) error {
	n := 0
	for i := 1; i < c.Argc(); i++ {
		if e := c.peek(i); e.Ok() {
			c.touchAnyway(e)
			n++
		}
	}
	c.Reply.Int(int64(n))
	return nil
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
