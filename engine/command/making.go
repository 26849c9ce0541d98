package command

import (
	"errors"

	"github.com/elares/ironcache/engine/keyspace"
)

// errLater is what a command returns that has done nothing yet, since a long
// string has to be copied first: see Call.Later.
var errLater = errors.New("command: a copy is not complete")

const (
	// madeAtOnce is how many bytes a command copies at a time of a string that
	// it need not copy at once.
	madeAtOnce = 256 << 10
	// mostMakings bounds the copies that are under way in a shard.
	mostMakings = 16
	// makingsLast is how many milliseconds a copy is kept that nobody goes on
	// with, as its client is gone.
	makingsLast = 2000
)

// making is a copy that some command is waiting for.
type making struct {
	*keyspace.Making
	at int64 // when it last went on, Unix milliseconds
}

// makes goes on with a copy of an entry and tells whether that has to be gone on
// with later. Once it is complete it is c.made. Where there is none to wait for,
// the command copies the entry itself.
func (c *Call) makes(e keyspace.Entry) (later bool) {
	if !c.MayWait {
		return false
	}
	for i := range c.makings {
		m := &c.makings[i]
		if m.Spoiled(e) { // and might be for ever
			c.forgetMaking(i)
			return false
		}
		if m.Of(e) {
			return c.goOn(i)
		}
	}
	if len(c.makings) == mostMakings {
		return false
	}
	m := e.Make()
	if m == nil {
		return false
	}
	c.makings = append(c.makings, making{Making: m})
	return c.goOn(len(c.makings) - 1)
}

func (c *Call) goOn(i int) (later bool) {
	m := &c.makings[i]
	m.at = c.Now
	if !m.Step(madeAtOnce) {
		return true
	}
	c.made = m.Making
	c.makings = append(c.makings[:i], c.makings[i+1:]...)
	return false
}

func (c *Call) forgetMaking(i int) {
	c.makings[i].Drop()
	c.makings = append(c.makings[:i], c.makings[i+1:]...)
}

// TidyMakings drops the copies that nobody goes on with.
func (c *Call) TidyMakings() {
	for i := len(c.makings) - 1; i >= 0; i-- {
		if c.Now-c.makings[i].at > makingsLast {
			c.forgetMaking(i)
		}
	}
}

// takeMade gives the complete copy of an entry, nil if there is none.
func (c *Call) takeMade(e keyspace.Entry) *keyspace.Making {
	m := c.made
	c.made = nil
	if m != nil && !m.Of(e) {
		m.Drop()
		return nil
	}
	return m
}
