package command

import (
	"math"

	"github.com/elares/ironcache/engine/resp"
)

// expire lets a key expire after some seconds.
func expire(c *Call) error { return c.expireBy(optEX) }

// pexpire lets a key expire after some milliseconds.
func pexpire(c *Call) error { return c.expireBy(optPX) }

// expireat lets a key expire at a Unix time in seconds.
func expireat(c *Call) error { return c.expireBy(optEXAT) }

// pexpireat lets a key expire at a Unix time in milliseconds.
func pexpireat(c *Call) error { return c.expireBy(optPXAT) }

// expireIf is a set of the conditions that EXPIRE and its kin take.
type expireIf uint8

const (
	ifNone    expireIf = 1 << iota // NX: it has no expiry
	ifSome                         // XX: it has one
	ifGreater                      // GT: the expiry would grow; none counts as infinite
	ifLess                         // LT: the expiry would shrink
)

var expireWords = []struct {
	word string
	is   expireIf
}{{"nx", ifNone}, {"xx", ifSome}, {"gt", ifGreater}, {"lt", ifLess}}

// expireBy sets the expiry of a key. A key whose time has come is deleted at
// once, and the effect says so.
func (c *Call) expireBy(unit option) error {
	conditions, err := c.expireConditions()
	if err != nil {
		return err
	}
	when, err := c.instant(2, unit)
	if err != nil {
		return err
	}
	var at spot
	c.find(&at, 1)
	if !at.entry.Ok() {
		c.Reply.Int(0)
		return nil
	}
	c.touch(at.entry)
	if !conditions.allow(at.entry.Expiry(), when) {
		c.Reply.Int(0)
		return nil
	}
	c.Reply.Int(1)
	if c.past(when) {
		c.remove(&at)
		c.sayDel(&at)
		return nil
	}
	c.setExpiry(&at, when)
	return nil
}

func (c *Call) expireConditions() (all expireIf, err error) {
	for i := 3; i < c.Argc(); i++ {
		is := expireCondition(c.Arg(i))
		if is == 0 {
			return 0, resp.UnsupportedOption(c.Arg(i))
		}
		all |= is
	}
	switch {
	case all&ifNone != 0 && all != ifNone:
		return 0, resp.ErrExpireNX
	case all&ifGreater != 0 && all&ifLess != 0:
		return 0, resp.ErrExpireGTLT
	}
	return all, nil
}

func expireCondition(word []byte) expireIf {
	for _, known := range expireWords {
		if fold(word, known.word) {
			return known.is
		}
	}
	return 0
}

// allow tells whether the conditions let an expiry change from one time, 0 for
// none, to another.
func (all expireIf) allow(from, to int64) bool {
	switch {
	case all&ifNone != 0 && from != 0,
		all&ifSome != 0 && from == 0,
		all&ifGreater != 0 && (from == 0 || to <= from),
		all&ifLess != 0 && from != 0 && to >= from:
		return false
	}
	return true
}

// instant reads argument i as a time or a duration, which may be negative, and
// gives Unix milliseconds.
func (c *Call) instant(i int, unit option) (int64, error) {
	n, err := c.int(i)
	if err != nil {
		return 0, err
	}
	if unit&optSeconds != 0 {
		if n > math.MaxInt64/1000 || n < math.MinInt64/1000 {
			return 0, resp.InvalidExpire(c.Row().Name)
		}
		n *= 1000
	}
	if unit&optRelative != 0 {
		if n > math.MaxInt64-c.Now {
			return 0, resp.InvalidExpire(c.Row().Name)
		}
		n += c.Now
	}
	return n, nil
}

// setExpiry sets the expiry of what is at a spot and tells it.
func (c *Call) setExpiry(at *spot, when int64) {
	at.entry = at.space.SetExpiry(at.key, at.entry, max(when, 1))
	c.wrote(at, EventExpire)
	if c.listening() {
		c.say(wordPExpireAt, at.key.Bytes, c.number(when))
	}
}

// persist removes the expiry of a key.
func persist(c *Call) error {
	var at spot
	c.find(&at, 1)
	if at.entry.Ok() {
		c.touch(at.entry)
	}
	done := int64(0)
	if at.entry.Ok() && c.persist(&at) {
		done = 1
	}
	c.Reply.Int(done)
	return nil
}

// persist removes the expiry of what is at a spot, if it has one.
func (c *Call) persist(at *spot) bool {
	if at.entry.Expiry() == 0 {
		return false
	}
	at.entry = at.space.SetExpiry(at.key, at.entry, 0)
	c.wrote(at, EventPersist)
	if c.listening() {
		c.say(wordPersist, at.key.Bytes)
	}
	return true
}
