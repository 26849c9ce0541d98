package command

import "github.com/elares/ironcache/engine/resp"

// appendTo adds bytes to the end of a string.
func appendTo(c *Call) error {
	var at spot
	err := c.findString(&at, 1)
	if err != nil {
		return err
	}
	if at.entry.Ok() {
		err = c.extend(&at, c.Arg(2))
	} else {
		err = c.assign(&at, c.Arg(2), 0)
	}
	if err != nil {
		return err
	}
	c.wrote(&at, EventAppend)
	c.Reply.Int(int64(at.entry.Len()))
	return nil
}

// extend adds bytes to the end of the string at a spot.
func (c *Call) extend(at *spot, more []byte) error {
	size := at.entry.Len()
	c.touch(at.entry)
	if err := c.mustFit(int64(size), int64(len(more))); err != nil {
		return err
	}
	text, err := c.edit(at, size+len(more), size, size+len(more))
	if err == nil {
		copy(text[size:], more)
	}
	return err
}

// setrange overwrites a part of a string, which grows by zero bytes as far as
// needed.
func setrange(c *Call) error {
	offset, err := c.int(2)
	if err != nil {
		return err
	}
	if offset < 0 {
		return resp.ErrOffsetRange
	}
	var at spot
	if err = c.findString(&at, 1); err != nil {
		return err
	}
	if at.entry.Ok() {
		c.touch(at.entry)
	}
	size, part := length(at.entry), c.Arg(3)
	if len(part) == 0 {
		c.Reply.Int(int64(size))
		return nil
	}
	if err = c.mustFit(offset, int64(len(part))); err != nil {
		return err
	}
	end := int(offset) + len(part)
	text, err := c.edit(&at, max(size, end), int(offset), end)
	if err != nil {
		return err
	}
	copy(text[offset:], part)
	c.wrote(&at, EventSetRange)
	c.Reply.Int(int64(len(text)))
	return nil
}
