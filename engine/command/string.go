package command

import (
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
)

// The longest texts that are stored as an integer and as KindEmbstr.
const (
	maxIntText = 20
	maxEmbstr  = 44
)

// assign makes value the string at a spot, whatever was there, in the tightest
// form. The expiry is in Unix milliseconds, 0 for none.
func (c *Call) assign(at *spot, value []byte, expiry int64) error {
	if len(value) <= maxIntText {
		if n, ok := resp.ParseInt(value); ok {
			return c.assignInt(at, n, expiry)
		}
	}
	return c.assignText(at, value, expiry)
}

func (c *Call) assignInt(at *spot, n, expiry int64) error {
	return at.became(at.space.AssignInt(at.key, at.entry, n, expiry, c.clock(at.entry)))
}

// assignText is assign for a value that stays text even if it is an integer.
func (c *Call) assignText(at *spot, text []byte, expiry int64) error {
	return at.became(at.space.Assign(at.key, at.entry, text, textKind(text), expiry, c.clock(at.entry)))
}

// textKind is the kind of a string that is no integer.
func textKind(text []byte) keyspace.Kind {
	if len(text) <= maxEmbstr {
		return keyspace.KindEmbstr
	}
	return keyspace.KindRaw
}

// became takes over the entry that a change gave. There is none when the system
// refused memory, and then nothing has changed.
func (at *spot) became(e keyspace.Entry) error {
	if !e.Ok() {
		return resp.ErrOutOfMemory
	}
	at.entry = e
	return nil
}

// edit makes the string at a spot, which may be missing, n bytes long, and gives
// it: the bytes from first to end may be written.
func (c *Call) edit(at *spot, n, first, end int) ([]byte, error) {
	missing := !at.entry.Ok()
	if missing {
		at.entry = at.space.Assign(at.key, at.entry, nil, keyspace.KindRaw, 0, c.fresh())
	}
	e, text := at.space.Edit(at.key, at.entry, n, first, end)
	if err := at.became(e); err != nil {
		if missing {
			at.space.Remove(at.key, at.entry)
		}
		return nil, err
	}
	return text, nil
}

// replyString replies with a string, or that there is none.
func (c *Call) replyString(e keyspace.Entry) {
	if !e.Ok() {
		c.Reply.Null()
		return
	}
	if n, ok := e.Int(); ok {
		c.Reply.BulkInt(n)
		return
	}
	c.replyPart(e, 0, e.Len())
}

// replyPart replies with the bytes from first to last of a string.
func (c *Call) replyPart(e keyspace.Entry, first, last int) {
	if c.Patient && last-first > longReply {
		if pin := e.Pin(first, last); pin != nil {
			c.Reply.Long(pin)
			return
		}
	}
	c.Reply.Bulk(e.Value(&c.digits)[first:last])
}

// longReply is how many bytes of a string are copied although the reply may be a
// Patient one.
const longReply = 128 << 10

// mustFit checks that a string of size bytes may grow by more.
func (c *Call) mustFit(size, more int64) error {
	limit := int64(min(c.Policy.MaxBulk, keyspace.MaxValue))
	if total := size + more; total > limit || total < size || total < more {
		return resp.ErrStringSize
	}
	return nil
}
