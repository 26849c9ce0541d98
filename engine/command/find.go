package command

import (
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
)

// ExpiryMode says what a Call does with a key whose time has come.
type ExpiryMode uint8

// The modes.
const (
	// DeleteExpired: the owner of the key deletes it and says so.
	DeleteExpired ExpiryMode = iota
	// HideExpired: a replica's readers do not see it. Writes are not allowed.
	HideExpired
	// KeepExpired: an effect that is applied takes it for alive, because its
	// owner did.
	KeepExpired
)

// spot is where a key is, or would be.
type spot struct {
	key   keyspace.Key
	space *keyspace.Space
	db    int
	entry keyspace.Entry // none when the key does not exist
}

// none is the entry of a key that does not exist.
var none keyspace.Entry

// find looks up the key at argument i. What it finds is alive.
func (c *Call) find(i int) spot { return c.findIn(c.DB, c.Key(i)) }

func (c *Call) findIn(db int, k keyspace.Key) spot {
	at := spot{key: k, space: c.SpaceOf(db, k), db: db}
	at.entry = at.space.Find(k)
	if at.entry.Ok() && c.expired(at.entry) {
		c.expire(&at)
	}
	return at
}

// expired reports whether the entry's time has come.
func (c *Call) expired(e keyspace.Entry) bool {
	at := e.Expiry()
	return at != 0 && at < c.Now && c.Expiry != KeepExpired
}

// past reports whether an expiry lies so that its key goes at once.
func (c *Call) past(at int64) bool { return at <= c.Now && c.Expiry == DeleteExpired }

// expire deletes what has expired, or hides it.
func (c *Call) expire(at *spot) {
	if c.Expiry == DeleteExpired {
		at.space.Remove(at.key, at.entry)
		c.Expired++
		c.tellGone(at.db, at.key, EventExpired)
	}
	at.entry = none
}

// read finds the key at argument i for a reader: it counts hits and misses and
// notes the access.
func (c *Call) read(i int) spot {
	at := c.find(i)
	if c.count(at.entry) {
		c.touch(at.entry)
	}
	return at
}

// peek is read without noting the access.
func (c *Call) peek(i int) spot {
	at := c.find(i)
	c.count(at.entry)
	return at
}

// count counts a hit or a miss.
func (c *Call) count(e keyspace.Entry) bool {
	if e.Ok() {
		c.Hits++
		return true
	}
	c.Misses++
	return false
}

// readString is read for a key that must hold a string, if anything.
func (c *Call) readString(i int) (keyspace.Entry, error) {
	at := c.read(i)
	return at.entry, at.mustBeString()
}

// findString is find for a key that must hold a string, if anything.
func (c *Call) findString(i int) (spot, error) {
	at := c.find(i)
	return at, at.mustBeString()
}

func (at *spot) mustBeString() error {
	if at.entry.Ok() && !isString(at.entry.Kind()) {
		return resp.ErrWrongType
	}
	return nil
}

// expiry is when the key expires, Unix milliseconds; 0 if never, or if there is
// no key.
func (at *spot) expiry() int64 {
	if !at.entry.Ok() {
		return 0
	}
	return at.entry.Expiry()
}

// length is the length of the string, 0 if there is none.
func (at *spot) length() int {
	if !at.entry.Ok() {
		return 0
	}
	return at.entry.Len()
}

func isString(kind keyspace.Kind) bool {
	return kind >= keyspace.KindRaw && kind <= keyspace.KindExtent
}
