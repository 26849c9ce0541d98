package command

import (
	"fmt"
	"math"

	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
)

// sharedIntegers is how many of the smallest integers count as shared objects.
const sharedIntegers = 10000

// objectEncoding replies with the name of the layout of a value.
func objectEncoding(c *Call) error {
	e := c.peek(2)
	if !e.Ok() {
		return c.orNull(nil)
	}
	c.Reply.BulkString(kinds[e.Kind()].encoding)
	return nil
}

// objectFreq replies with the access counter of a key.
func objectFreq(c *Call) error {
	e := c.peek(2)
	switch {
	case !e.Ok():
		return c.orNull(nil)
	case !c.Policy.LFU:
		return resp.ErrFreqNoLFU
	}
	c.Reply.Int(int64(c.decayed(e.Clock())))
	return nil
}

// objectIdleTime replies with the seconds since a key was last used.
func objectIdleTime(c *Call) error {
	e := c.peek(2)
	switch {
	case !e.Ok():
		return c.orNull(nil)
	case c.Policy.LFU:
		return resp.ErrIdleWithLFU
	}
	c.Reply.Int(c.idle(e.Clock()))
	return nil
}

// objectRefCount replies with the number of references to a value, as a server
// with shared integers has them.
func objectRefCount(c *Call) error {
	e := c.peek(2)
	if !e.Ok() {
		return c.orNull(nil)
	}
	c.Reply.Int(c.references(e))
	return nil
}

func (c *Call) references(e keyspace.Entry) int64 {
	if n, ok := e.Int(); ok && c.Policy.Shared && n >= 0 && n < sharedIntegers {
		return math.MaxInt32
	}
	return 1
}

// objectHelp replies with what the subcommands of OBJECT do.
func objectHelp(c *Call) error {
	parent := &c.rows[c.Row().Parent]
	writeHelp(c.Reply, parent, c.rows[parent.ID+1:][:parent.Subs])
	return nil
}

// memoryUsage replies with the bytes that a key and its value take.
func memoryUsage(c *Call) error {
	if err := c.memoryOptions(); err != nil {
		return err
	}
	var at spot
	c.find(&at, 2)
	if !at.entry.Ok() {
		return c.orNull(nil)
	}
	c.Reply.Int(int64(at.entry.Bytes()))
	return nil
}

// memoryOptions checks the options of MEMORY USAGE. Sizes are known exactly, so
// that SAMPLES changes nothing.
func (c *Call) memoryOptions() error {
	for i := 3; i < c.Argc(); i += 2 {
		if !fold(c.Arg(i), "samples") || i+1 == c.Argc() {
			return resp.ErrSyntax
		}
		samples, err := c.int(i + 1)
		if err != nil {
			return err
		}
		if samples < 0 {
			return resp.ErrSyntax
		}
	}
	return nil
}

// DebugObject replies to DEBUG OBJECT about the key at argument 2.
func DebugObject(c *Call) error {
	e := c.peek(2)
	if !e.Ok() {
		return resp.ErrNoSuchKey
	}
	c.Reply.Simple(fmt.Sprintf("Value at:0x%x refcount:%d encoding:%s serializedlength:%d lru:%d lru_seconds_idle:%d",
		c.Key(2).Place, c.references(e), kinds[e.Kind()].encoding, e.Len()+1, e.Clock(), c.idle(e.Clock())))
	return nil
}
