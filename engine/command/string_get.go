package command

// get replies with the string at a key.
func get(c *Call) error {
	e, err := c.readString(1)
	if err != nil {
		return err
	}
	c.replyString(e)
	return nil
}

// getdel replies with the string at a key and removes the key.
func getdel(c *Call) error {
	var at spot
	if err := c.useString(&at, 1); err != nil {
		return err
	}
	c.replyString(at.entry)
	if at.entry.Ok() {
		c.remove(&at)
		c.sayDel(&at)
	}
	return nil
}

// getex replies with the string at a key and changes when the key expires.
func getex(c *Call) error {
	o, err := c.options(2, optDeadlines|optPersist)
	if err != nil {
		return err
	}
	var at spot
	if err = c.useString(&at, 1); err != nil || !at.entry.Ok() {
		return c.orNull(err)
	}
	deadline, err := c.deadline(o)
	if err != nil {
		return err
	}
	c.replyString(at.entry)
	switch {
	case o.has&optPersist != 0:
		c.persist(&at)
	case o.has&optDeadlines == 0:
	case o.has&optRelative == 0 && c.past(deadline):
		c.remove(&at)
		c.sayDel(&at)
	default:
		c.setExpiry(&at, deadline)
	}
	return nil
}

// orNull replies that there is nothing unless there is an error.
func (c *Call) orNull(err error) error {
	if err == nil {
		c.Reply.Null()
	}
	return err
}

// strlen replies with the length of a string.
func strlen(c *Call) error {
	e, err := c.readString(1)
	if err != nil {
		return err
	}
	c.Reply.Int(int64(length(e)))
	return nil
}

// getrange replies with a part of a string; negative positions count from its
// end.
func getrange(c *Call) error {
	start, err := c.int(2)
	if err != nil {
		return err
	}
	end, err := c.int(3)
	if err != nil {
		return err
	}
	e, err := c.readString(1)
	if err != nil {
		return err
	}
	if !e.Ok() {
		c.Reply.Bulk(nil)
		return nil
	}
	first, last := bounds(start, end, int64(e.Len()))
	c.replyPart(e, int(first), int(last))
	return nil
}

// bounds turns the positions of the first and last byte, each negative when it
// counts from the end, into offsets within length: 0 <= first <= last <= length.
func bounds(start, end, length int64) (first, last int64) {
	if start < 0 && end < 0 && start > end || length == 0 {
		return 0, 0
	}
	if start < 0 {
		start = max(start+length, 0)
	}
	if end < 0 {
		end = max(end+length, 0)
	}
	end = min(end, length-1)
	if start > end {
		return 0, 0
	}
	return start, end + 1
}
