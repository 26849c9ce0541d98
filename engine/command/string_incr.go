package command

import (
	"math"

	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
)

// incr adds one to an integer.
func incr(c *Call) error { return c.add(1) }

// decr subtracts one from an integer.
func decr(c *Call) error { return c.add(-1) }

// incrby adds a number to an integer.
func incrby(c *Call) error {
	by, err := c.int(2)
	if err != nil {
		return err
	}
	return c.add(by)
}

// decrby subtracts a number from an integer.
func decrby(c *Call) error {
	by, err := c.int(2)
	if err != nil {
		return err
	}
	if by == math.MinInt64 {
		return resp.ErrDecrOverflow
	}
	return c.add(-by)
}

// add adds a number to the integer at argument 1, which is 0 when absent.
func (c *Call) add(by int64) error {
	var at spot
	if err := c.findString(&at, 1); err != nil {
		return err
	}
	n, err := c.integer(at.entry)
	sum := n + by
	if err == nil && (by > 0) != (sum > n) && by != 0 {
		err = resp.ErrIncrOverflow
	}
	if err != nil {
		return c.used(&at, err)
	}
	if err = c.assignInt(&at, sum, expiryOf(at.entry)); err != nil {
		return err
	}
	c.wrote(&at, EventIncrBy)
	c.Reply.Int(sum)
	return nil
}

// integer reads a string as an integer, 0 when there is none.
func (c *Call) integer(e keyspace.Entry) (int64, error) {
	if !e.Ok() {
		return 0, nil
	}
	if n, ok := e.Int(); ok {
		return n, nil
	}
	n, ok := resp.ParseInt(e.Value(&c.digits))
	if !ok {
		return 0, resp.ErrNotInteger
	}
	return n, nil
}

// incrbyfloat adds a decimal number to a number, in the 80-bit arithmetic of
// Redis. What it tells is the sum, so that nobody need add again.
func incrbyfloat(c *Call) error {
	var at spot
	if err := c.findString(&at, 1); err != nil {
		return err
	}
	sum, err := c.sum(at.entry, c.Arg(2))
	if err != nil {
		return c.used(&at, err)
	}
	c.scratch = resp.AppendLongDouble(c.scratch[:0], sum)
	if err = c.assignText(&at, c.scratch, expiryOf(at.entry)); err != nil {
		return err
	}
	c.wrote(&at, EventIncrByFloat)
	if c.listening() {
		c.say(wordSet, at.key.Bytes, c.scratch, wordKeepTTL)
	}
	c.Reply.Bulk(c.scratch)
	return nil
}

// sum adds a decimal number to a string that holds one, 0 when there is none.
func (c *Call) sum(e keyspace.Entry, more []byte) (resp.LongDouble, error) {
	var n resp.LongDouble
	ok := true
	if e.Ok() {
		n, ok = resp.ParseLongDouble(e.Value(&c.digits))
	}
	by, fine := resp.ParseLongDouble(more)
	if !ok || !fine {
		return n, resp.ErrNotFloat
	}
	if n = n.Add(by); !n.Finite() {
		return n, resp.ErrIncrNaN
	}
	return n, nil
}
