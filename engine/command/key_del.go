package command

// del removes keys of any type.
func del(c *Call) error {
	n := 0
	for i := 1; i < c.Argc(); i++ {
		if at := c.find(i); at.entry.Ok() {
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
		if at := c.peek(i); at.entry.Ok() {
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
		if at := c.peek(i); at.entry.Ok() {
			c.touchAnyway(at.entry)
			n++
		}
	}
	c.Reply.Int(int64(n))
	return nil
}

// typeOf replies with the name of a value's type.
func typeOf(c *Call) error {
	at := c.peek(1)
	if !at.entry.Ok() {
		c.Reply.Simple("none")
		return nil
	}
	c.Reply.Simple(kinds[at.entry.Kind()].typ)
	return nil
}
