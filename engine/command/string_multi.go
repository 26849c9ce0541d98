package command

import (
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
)

// mget replies with the strings at several keys; what is no string counts as
// missing.
func mget(c *Call) error {
	c.Reply.Array(c.Argc() - 1)
	return c.each(1, c.Argc(), 1, func(_ int, k keyspace.Key) error {
		e := c.alive(c.Space(k), c.DB, k)
		c.use(e)
		if mustBeString(e) != nil {
			e = none
		}
		c.replyString(e)
		return nil
	})
}

// mset stores several strings.
func mset(c *Call) error {
	if c.Argc()%2 == 0 {
		return resp.WrongArity(c.Row().Name)
	}
	if err := c.storeAll(1, c.Argc(), options{}, 0, c.sayMSet); err != nil {
		return err
	}
	c.Reply.OK()
	return nil
}

// msetnx stores several strings unless one of the keys exists.
func msetnx(c *Call) error {
	if c.Argc()%2 == 0 {
		return resp.WrongArity(c.Row().Name)
	}
	if c.anyExists(1, c.Argc()) {
		c.Reply.Int(0)
		return nil
	}
	if err := c.storeAll(1, c.Argc(), options{}, 0, c.sayMSet); err != nil {
		return err
	}
	c.Reply.Int(1)
	return nil
}

// msetex stores several strings that share a condition and an expiry.
func msetex(c *Call) error {
	pairs, ok := smallCount(c.Arg(1))
	if !ok || pairs < 1 {
		return resp.ErrMSetExKeys
	}
	if pairs > (c.Argc()-2)/2 {
		return resp.ErrMSetExPairs
	}
	end := 2 + 2*pairs
	o, err := c.options(end, optNX|optXX|optKeepTTL|optDeadlines)
	if err != nil {
		return err
	}
	deadline, err := c.deadline(o)
	if err != nil {
		return err
	}
	if !c.allMet(2, end, o.has) {
		c.Reply.Int(0)
		return nil
	}
	say := func(to int) { c.sayMSetEx(to, o.has, deadline) }
	if err = c.storeAll(2, end, o, deadline, say); err != nil {
		return err
	}
	c.Reply.Int(1)
	return nil
}

// storeAll stores the pairs of key and value in the arguments [from, to), and
// says the pairs before the argument that it came to: all of them, unless memory
// runs out on the way.
func (c *Call) storeAll(from, to int, o options, deadline int64, say func(to int)) error {
	var at spot
	done := from
	err := c.each(from, to, 2, func(i int, k keyspace.Key) error {
		c.findIn(&at, c.DB, k)
		err := c.storeQuietly(&at, c.Arg(i+1), o, deadline)
		if err == nil {
			done = i + 2
		}
		return err
	})
	if done > from {
		say(done)
	}
	return err
}

// sayMSet tells MSET of the pairs before argument to.
func (c *Call) sayMSet(to int) {
	if c.listening() {
		c.say(wordMSet)
		c.sayArgs(1, to)
	}
}

// allMet tells whether NX or XX, if given, holds for every key of the pairs.
func (c *Call) allMet(from, to int, has option) bool {
	switch {
	case has&optNX != 0:
		return !c.anyExists(from, to)
	case has&optXX != 0:
		return c.allExist(from, to)
	}
	return true
}

func (c *Call) anyExists(from, to int) bool {
	for i := from; i < to; i += 2 {
		if c.has(i) {
			return true
		}
	}
	return false
}

// has tells whether the key at argument i exists, and notes the access.
func (c *Call) has(i int) bool {
	k := c.Key(i)
	e := c.alive(c.Space(k), c.DB, k)
	if e.Ok() {
		c.touch(e)
	}
	return e.Ok()
}

func (c *Call) allExist(from, to int) bool {
	for i := from; i < to; i += 2 {
		if !c.has(i) {
			return false
		}
	}
	return true
}

// sayMSetEx tells MSETEX of the pairs before argument to, without its condition
// and with an absolute expiry.
func (c *Call) sayMSetEx(to int, has option, deadline int64) {
	if !c.listening() {
		return
	}
	c.say(wordMSetEx, c.number(int64(to-2)/2))
	c.sayArgs(2, to)
	switch {
	case deadline != 0:
		c.sayMore(wordPXAT, c.number(deadline))
	case has&optKeepTTL != 0:
		c.sayMore(wordKeepTTL)
	}
}
