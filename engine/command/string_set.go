package command

import "github.com/elares/ironcache/engine/keyspace"

// set stores a string.
func set(c *Call) error {
	if c.Argc() != 3 {
		return setWithOptions(c)
	}
	var at spot
	c.find(&at, 1)
	if err := c.assign(&at, c.Arg(2), 0); err != nil {
		return err
	}
	c.wrote(&at, EventSet)
	c.Reply.OK()
	return nil
}

func setWithOptions(c *Call) error {
	o, err := c.options(3, optConditions|optGet|optKeepTTL|optDeadlines)
	if err != nil {
		return err
	}
	deadline, err := c.deadline(o)
	if err != nil {
		return err
	}
	var at spot
	c.find(&at, 1)
	met, err := c.met(&at, o)
	if err != nil {
		return err
	}
	return c.storeAndReply(&at, o, met, deadline)
}

// storeAndReply ends SET, whose condition is met or not.
func (c *Call) storeAndReply(at *spot, o options, met bool, deadline int64) error {
	head := c.Reply.Len()
	if o.has&optGet != 0 {
		if err := c.replyBefore(at); err != nil {
			return err
		}
	}
	if met {
		if err := c.store(at, c.Arg(2), o, deadline); err != nil {
			c.Reply.Truncate(head)
			return err
		}
	}
	if o.has&optGet != 0 {
		return nil
	}
	if !met && at.entry.Ok() {
		c.touch(at.entry)
	}
	c.replyStored(met)
	return nil
}

// replyBefore replies with the string at a spot that is about to change.
func (c *Call) replyBefore(at *spot) error {
	c.use(at.entry)
	if err := mustBeString(at.entry); err != nil {
		return err
	}
	c.replyString(at.entry)
	return nil
}

func (c *Call) replyStored(stored bool) {
	if stored {
		c.Reply.OK()
		return
	}
	c.Reply.Null()
}

// met tells whether the condition among the options holds at a spot.
func (c *Call) met(at *spot, o options) (bool, error) {
	switch o.has & optConditions {
	case 0:
		return true, nil
	case optNX:
		return !at.entry.Ok(), nil
	case optXX:
		return at.entry.Ok(), nil
	}
	return c.matches(at, o.has&optIfValue, c.Arg(o.want))
}

// store makes value the string at a spot and tells the effect.
func (c *Call) store(at *spot, value []byte, o options, deadline int64) error {
	if err := c.storeQuietly(at, value, o, deadline); err != nil {
		return err
	}
	c.saySet(at.key, value, o.has, deadline)
	return nil
}

// storeQuietly is store for a command that tells its effect itself.
func (c *Call) storeQuietly(at *spot, value []byte, o options, deadline int64) error {
	expiry := deadline
	if o.has&optKeepTTL != 0 {
		expiry = expiryOf(at.entry)
	}
	if err := c.assign(at, value, expiry); err != nil {
		return err
	}
	c.wrote(at, EventSet)
	if deadline != 0 {
		c.also(at, EventExpire)
	}
	return nil
}

// saySet tells SET in its shortest form.
func (c *Call) saySet(k keyspace.Key, value []byte, has option, deadline int64) {
	switch {
	case !c.listening():
	case deadline != 0:
		c.say(wordSet, k.Bytes, value, wordPXAT, c.number(deadline))
	case has&optKeepTTL != 0:
		c.say(wordSet, k.Bytes, value, wordKeepTTL)
	default:
		c.say(wordSet, k.Bytes, value)
	}
}

// setKeyFlags says that SET reads its key only with an option that looks at
// what is there.
func setKeyFlags(a Args) KeyFlag {
	for i := 3; i < a.Len(); i++ {
		if findOption(a.At(i), optGet|optIfValue) != nil {
			return RW | Access | Update
		}
	}
	return OW | Update
}

// setnx stores a string unless the key exists.
func setnx(c *Call) error {
	var at spot
	c.find(&at, 1)
	if at.entry.Ok() {
		c.touch(at.entry)
		c.Reply.Int(0)
		return nil
	}
	if err := c.store(&at, c.Arg(2), options{}, 0); err != nil {
		return err
	}
	c.Reply.Int(1)
	return nil
}

// setex stores a string that expires after some seconds.
func setex(c *Call) error { return setFor(c, optEX) }

// psetex stores a string that expires after some milliseconds.
func psetex(c *Call) error { return setFor(c, optPX) }

func setFor(c *Call, unit option) error {
	deadline, err := c.deadlineAt(2, unit)
	if err != nil {
		return err
	}
	var at spot
	c.find(&at, 1)
	if err := c.store(&at, c.Arg(3), options{has: unit}, deadline); err != nil {
		return err
	}
	c.Reply.OK()
	return nil
}

// getset stores a string and replies with the one before it.
func getset(c *Call) error {
	var at spot
	c.find(&at, 1)
	return c.storeAndReply(&at, options{has: optGet}, true, 0)
}
