package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/elares/ironcache/slots"
)

// coder writes or reads, so that one function a type says both. Numbers are
// varints of the shortest form, lists and texts carry their length. What a coder
// would not read it does not write either.
type coder struct {
	reading bool
	bytes   []byte // written so far, or left to read
	err     error  // the first fault; nothing is read or written after it
}

func (c *coder) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

type unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// number codes a value of least to most.
func number[T unsigned](c *coder, what string, v *T, least, most uint64) {
	if c.err != nil {
		return
	}
	value := uint64(*v)
	if c.reading {
		value = c.readVarint(what)
	}
	if value < least || value > most {
		c.fail("%s is %d: it must be %d to %d", what, value, least, most)
	}
	if c.err != nil {
		return
	}
	if !c.reading {
		c.bytes = binary.AppendUvarint(c.bytes, value)
	}
	*v = T(value)
}

func (c *coder) readVarint(what string) uint64 {
	value, size := binary.Uvarint(c.bytes)
	switch {
	case size <= 0:
		c.fail("%s is cut off or over 64 bits", what)
		return 0
	case size > 1 && c.bytes[size-1] == 0:
		c.fail("%s is not in its shortest form", what)
		return 0
	}
	c.bytes = c.bytes[size:]
	return value
}

func any64(c *coder, what string, v *uint64) { number(c, what, v, 0, math.MaxUint64) }

func node(c *coder, what string, n *slots.Node) { number(c, what, n, 1, math.MaxUint32) }

func maybeNode(c *coder, what string, n *slots.Node) { number(c, what, n, 0, math.MaxUint32) }

// raw codes bytes of a known number.
func (c *coder) raw(what string, p []byte) {
	switch {
	case c.err != nil:
	case !c.reading:
		c.bytes = append(c.bytes, p...)
	case len(c.bytes) < len(p):
		c.fail("%s is cut off", what)
	default:
		copy(p, c.bytes)
		c.bytes = c.bytes[len(p):]
	}
}

// text codes a text of at most 255 bytes.
func (c *coder) text(what string, s *string) {
	size := uint64(len(*s))
	number(c, "the length of "+what, &size, 0, 255)
	if c.err != nil {
		return
	}
	p := []byte(*s)
	if c.reading {
		p = make([]byte, size)
	}
	c.raw(what, p)
	*s = string(p)
}

// list codes least to most items, each by the function. Memory grows with what
// was read, not with the count that the bytes claim.
func list[T any](c *coder, what string, l *[]T, least, most int, item func(*coder, *T)) {
	count := uint64(len(*l))
	number(c, "the number of "+what, &count, uint64(least), uint64(most))
	if c.reading {
		*l = nil
	}
	for i := 0; i < int(count) && c.err == nil; i++ {
		if !c.reading {
			item(c, &(*l)[i])
			continue
		}
		var read T
		item(c, &read)
		*l = append(*l, read)
	}
}

// ascending codes a list of ranges, or of what has one, in ascending order
// without overlaps. rest codes what else an item has.
func ascending[T any](c *coder, l *[]T, least int, of func(*T) *slots.Range, rest func(*coder, *T)) {
	next := 0 // the lowest slot that may come
	list(c, "ranges", l, least, slots.Count, func(c *coder, item *T) {
		r := of(item)
		number(c, "the first slot of a range", &r.First, uint64(next), slots.Count-1)
		number(c, "the last slot of a range", &r.Last, uint64(r.First), slots.Count-1)
		next = int(r.Last) + 1
		rest(c, item)
	})
}

func ranges(c *coder, l *[]slots.Range) {
	ascending(c, l, 0, func(r *slots.Range) *slots.Range { return r }, func(*coder, *slots.Range) {})
}

var errTrailing = errors.New("bytes follow its end")

// end tells the first fault, or that bytes are left.
func (c *coder) end() error {
	if c.err == nil && c.reading && len(c.bytes) > 0 {
		return errTrailing
	}
	return c.err
}
