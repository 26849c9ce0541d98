package command

import (
	"bytes"
	"strconv"

	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/slots"
)

// A cursor is the slot and the first bits of the hash of the next key.
const (
	cursorSlotShift = 38
	cursorEnd       = slots.Count << cursorSlotShift
)

// scanAll is how many entries KEYS visits between two looks at its cursor.
const scanAll = 1024

// keys lists the keys that match a pattern.
func keys(c *Call) error {
	pattern, at, n := patternOf(c.Arg(1)), c.Reply.Mark(), 0
	for _, store := range c.stores {
		space := store.Space(c.DB)
		for cursor := uint64(0); ; {
			cursor = space.Scan(cursor, scanAll, func(e keyspace.Entry) {
				if !c.expired(e) && fits(pattern, e) {
					c.Reply.Bulk(e.Key())
					n++
				}
			})
			if cursor == 0 {
				break
			}
		}
	}
	c.Reply.EndArray(at, n)
	return nil
}

// patternOf is nil for the pattern that takes every key. As a pattern, "*" does
// not match the empty key.
func patternOf(arg []byte) []byte {
	if string(arg) == "*" {
		return nil
	}
	return arg
}

// fits tells whether an entry's key matches a pattern.
func fits(pattern []byte, e keyspace.Entry) bool {
	return pattern == nil || resp.Match(pattern, e.Key(), false)
}

// scanMost bounds the entries that one SCAN visits.
const scanMost = 1 << 40

// scanOptions are the options of SCAN.
type scanOptions struct {
	count   int64
	pattern []byte // nil for any key
	typ     []byte // nil for any type
}

// scan lists some keys and gives the cursor for the next call.
func scan(c *Call) error {
	cursor, ok := parseCursor(c.Arg(1))
	if !ok {
		return resp.ErrCursor
	}
	o, err := c.scanOptions()
	if err != nil {
		return err
	}
	c.Reply.Array(2)
	head := c.Reply.Mark()
	list, n := c.Reply.Mark(), 0
	next := c.scanFrom(cursor, int(min(o.count, scanMost)), func(e keyspace.Entry) {
		if o.allow(c, e) {
			c.Reply.Bulk(e.Key())
			n++
		}
	})
	c.Reply.EndArray(list, n)
	cursorReply := resp.Writer{Proto: 2}
	cursorReply.BulkString(strconv.FormatUint(next, 10))
	c.Reply.Insert(head, cursorReply.Buf)
	c.dropStale()
	return nil
}

// shows tells whether an entry that SCAN meets is alive. One that is not goes
// when the walk has ended: nothing may be removed meanwhile.
func (c *Call) shows(e keyspace.Entry) bool {
	if !c.expired(e) {
		return true
	}
	c.stale = append(c.stale, c.Hash.Key(bytes.Clone(e.Key())))
	return false
}

func (c *Call) dropStale() {
	for _, k := range c.stale {
		c.alive(c.Space(k), c.DB, k)
	}
	c.stale = nil
}

// scanFrom calls fn for about count entries from the cursor on, in the shard
// that the cursor points into, and gives the next cursor; 0 at the end of the
// last shard.
func (c *Call) scanFrom(cursor uint64, count int, fn func(keyspace.Entry)) uint64 {
	shard := ScanShard(cursor, len(c.stores))
	next := c.stores[shard].Space(c.DB).Scan(cursor, count, fn)
	if next == 0 && shard+1 < len(c.stores) {
		return uint64(slots.First(shard+1, len(c.stores))) << cursorSlotShift
	}
	return next
}

// ScanShard is the shard that a cursor of SCAN points into.
func ScanShard(cursor uint64, shards int) int {
	if cursor >= cursorEnd {
		return shards - 1
	}
	return slots.Shard(uint16(cursor>>cursorSlotShift), shards)
}

// CursorShard is the shard that a request of SCAN goes to. One that SCAN will
// refuse may go anywhere.
func CursorShard(a Args, shards int) int {
	cursor, _ := parseCursor(a.At(1))
	return ScanShard(cursor, shards)
}

// parseCursor reads a cursor as C's strtoul reads a number: a sign is allowed,
// nothing at all is 0, and a zero byte ends it.
func parseCursor(b []byte) (uint64, bool) {
	negative := false
	b, _, _ = bytes.Cut(b, []byte{0})
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		negative = b[0] == '-'
		b = b[1:]
	} else if len(b) == 0 {
		return 0, true
	}
	n, err := strconv.ParseUint(string(b), 10, 64)
	if negative {
		n = -n
	}
	return n, err == nil
}

func (c *Call) scanOptions() (scanOptions, error) {
	o := scanOptions{count: 10}
	for i := 2; i < c.Argc(); i += 2 {
		if i+1 == c.Argc() {
			return o, resp.ErrSyntax
		}
		if err := o.add(c, i); err != nil {
			return o, err
		}
	}
	return o, nil
}

// add reads the option at argument i and its value after it.
func (o *scanOptions) add(c *Call, i int) (err error) {
	switch word := c.Arg(i); {
	case fold(word, "count"):
		if o.count, err = c.int(i + 1); err == nil && o.count < 1 {
			err = resp.ErrSyntax
		}
	case fold(word, "match"):
		o.pattern = patternOf(c.Arg(i + 1))
	case fold(word, "type"):
		o.typ = c.Arg(i + 1)
	default:
		err = resp.ErrSyntax
	}
	return err
}

// allow tells whether an entry is alive and asked for. Looking at its type
// counts as a hit or a miss.
func (o *scanOptions) allow(c *Call, e keyspace.Entry) bool {
	if !fits(o.pattern, e) {
		return false
	}
	alive := c.shows(e)
	switch {
	case o.typ == nil:
		return alive
	case !alive:
		c.Misses++
		return false
	}
	c.Hits++
	return fold(o.typ, kinds[e.Kind()].typ)
}

// randomTries is how many expired keys RANDOMKEY steps over during a pause.
const randomTries = 100

// randomkey replies with a key drawn among all.
func randomkey(c *Call) error {
	for try := 1; ; try++ {
		e := c.randomEntry()
		if !e.Ok() {
			c.Reply.Null()
			return nil
		}
		if !c.expired(e) || c.Expiry != DeleteExpired && try == randomTries {
			c.Reply.Bulk(e.Key())
			return nil
		}
		if c.Expiry == DeleteExpired {
			k := c.Hash.Key(append([]byte(nil), e.Key()...))
			c.alive(c.Space(k), c.DB, k)
		}
	}
}

// randomEntry draws an entry of the current database.
func (c *Call) randomEntry() keyspace.Entry {
	total := c.size()
	if total == 0 {
		return none
	}
	nth := int(c.Rand.Uint64() % uint64(total))
	for _, store := range c.stores {
		space := store.Space(c.DB)
		if nth < space.Len() {
			return space.Random(c.Rand)
		}
		nth -= space.Len()
	}
	return none
}
