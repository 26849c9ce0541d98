package command

import (
	"bytes"
	"encoding/hex"

	"github.com/elares/ironcache/engine/resp"
	"github.com/zeebo/xxh3"
)

// digestText is the length of a digest in hexadecimal.
const digestText = 16

// matches tells whether the string at a spot meets one condition of
// optIfValue. What is missing equals nothing.
func (c *Call) matches(at *spot, condition option, want []byte) (bool, error) {
	if condition&(optIfDigestEq|optIfDigestNe) != 0 && len(want) != digestText {
		return false, resp.ErrDigestLength
	}
	if err := mustBeString(at.entry); err != nil {
		return false, err
	}
	unequal := condition&(optIfNe|optIfDigestNe) != 0
	if !at.entry.Ok() {
		return unequal, nil
	}
	value := at.entry.Value(&c.digits)
	equal := false
	if condition&(optIfEq|optIfNe) != 0 {
		equal = bytes.Equal(value, want)
	} else {
		text := digestOf(value)
		equal = bytes.EqualFold(text[:], want)
	}
	return equal != unequal, nil
}

// digestOf is the XXH3 hash of a value in hexadecimal.
func digestOf(value []byte) (text [digestText]byte) {
	var sum [digestText / 2]byte
	hash := xxh3.Hash(value)
	for i := range sum {
		sum[i] = byte(hash >> (56 - 8*i))
	}
	hex.Encode(text[:], sum[:])
	return text
}

// digest replies with the digest of a string.
func digest(c *Call) error {
	e, err := c.readString(1)
	if err != nil || !e.Ok() {
		return c.orNull(err)
	}
	text := digestOf(e.Value(&c.digits))
	c.Reply.Bulk(text[:])
	return nil
}

// delex removes a key, of any type, or if its string meets a condition.
func delex(c *Call) error {
	switch c.Argc() {
	case 2:
		return del(c)
	case 4:
		return c.deleteIf()
	}
	return resp.WrongArity(c.Row().Name)
}

func (c *Call) deleteIf() error {
	var at spot
	c.find(&at, 1)
	if !at.entry.Ok() {
		c.Reply.Int(0)
		return nil
	}
	if mustBeString(at.entry) != nil {
		return resp.ErrDelexType
	}
	condition := findOption(c.Arg(2), optIfValue)
	if condition == nil {
		return resp.ErrDelexIf
	}
	return c.deleteMatch(&at, condition.sets, c.Arg(3))
}

// deleteMatch removes the key at a spot if its string meets a condition.
func (c *Call) deleteMatch(at *spot, condition option, want []byte) error {
	met, err := c.matches(at, condition, want)
	if err != nil {
		return err
	}
	if !met || !at.entry.Ok() {
		c.Reply.Int(0)
		return nil
	}
	c.remove(at)
	c.sayDel(at)
	c.Reply.Int(1)
	return nil
}

// delexKeyFlags says that DELEX reads its key only with a condition.
func delexKeyFlags(a Args) KeyFlag {
	if a.Len() == 2 {
		return RM | Delete
	}
	return RW | Access | Delete
}

// delifeq removes a key if it holds the given string.
func delifeq(c *Call) error {
	var at spot
	if err := c.findString(&at, 1); err != nil {
		return err
	}
	return c.deleteMatch(&at, optIfEq, c.Arg(2))
}
