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
	// SpareExpired: while clients are paused, readers do not see it, and only
	// a command that writes deletes it.
	SpareExpired
	// KeepExpired: an effect that is applied takes it for alive, because its
	// owner did.
	KeepExpired
)

// spot is where a key is, or would be. It lives on the stack of a command
// function and is filled in there, because it is too large to be handed around.
type spot struct {
	key   keyspace.Key
	space *keyspace.Space
	db    int
	entry keyspace.Entry // none when the key does not exist
}

// none is the entry of a key that does not exist.
var none keyspace.Entry

// find looks up the key at argument i. What it finds is alive.
func (c *Call) find(at *spot, i int) { c.findIn(at, c.DB, c.Key(i)) }

// findIn looks up a key in a database.
func (c *Call) findIn(at *spot, db int, k keyspace.Key) {
	at.key, at.db = k, db
	at.space = c.SpaceOf(db, k)
	at.entry = c.alive(at.space, db, k)
}

// alive is what a space holds for a key, unless its time has come.
func (c *Call) alive(space *keyspace.Space, db int, k keyspace.Key) keyspace.Entry {
	e := space.Find(k)
	if e.Ok() && c.expired(e) {
		return c.expire(space, db, k, e)
	}
	return e
}

// expired reports whether the entry's time has come.
func (c *Call) expired(e keyspace.Entry) bool {
	at := e.Expiry()
	return at != 0 && at < c.Now && c.Expiry != KeepExpired
}

// past reports whether an expiry lies so that its key goes at once.
func (c *Call) past(at int64) bool { return at <= c.Now && c.deletes() }

// deletes tells whether the running command deletes what has expired.
func (c *Call) deletes() bool {
	return c.Expiry == DeleteExpired || c.Expiry == SpareExpired && c.Row().Flags&Write != 0
}

// expire deletes what has expired, or hides it.
func (c *Call) expire(space *keyspace.Space, db int, k keyspace.Key, e keyspace.Entry) keyspace.Entry {
	if c.deletes() {
		space.Remove(k, e)
		c.Expired++
		c.tellGone(db, k, EventExpired)
	}
	return none
}

// read finds the key at argument i for a reader: it counts hits and misses and
// notes the access.
func (c *Call) read(i int) keyspace.Entry {
	k := c.Key(i)
	e := c.alive(c.Space(k), c.DB, k)
	c.use(e)
	return e
}

// use notes that a reader found an entry, or none.
func (c *Call) use(e keyspace.Entry) {
	if c.count(e) {
		c.touch(e)
	}
}

// peek is read without noting the access.
func (c *Call) peek(i int) keyspace.Entry {
	k := c.Key(i)
	e := c.alive(c.Space(k), c.DB, k)
	c.count(e)
	return e
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
	e := c.read(i)
	return e, mustBeString(e)
}

// findString is find for a key that must hold a string, if anything.
func (c *Call) findString(at *spot, i int) error {
	c.find(at, i)
	if err := mustBeString(at.entry); err != nil {
		return c.used(at, err)
	}
	return nil
}

// used notes that a command looked at what is at a spot and then failed.
func (c *Call) used(at *spot, err error) error {
	if at.entry.Ok() {
		c.touch(at.entry)
	}
	return err
}

// useString is readString with the spot.
func (c *Call) useString(at *spot, i int) error {
	c.find(at, i)
	c.use(at.entry)
	return mustBeString(at.entry)
}

func mustBeString(e keyspace.Entry) error {
	if e.Ok() && !isString(e.Kind()) {
		return resp.ErrWrongType
	}
	return nil
}

// expiryOf is when a key expires, Unix milliseconds; 0 if never, or if there is
// no key.
func expiryOf(e keyspace.Entry) int64 {
	if !e.Ok() {
		return 0
	}
	return e.Expiry()
}

// length is the length of a string, 0 if there is none.
func length(e keyspace.Entry) int {
	if !e.Ok() {
		return 0
	}
	return e.Len()
}

func isString(kind keyspace.Kind) bool {
	return kind >= keyspace.KindRaw && kind <= keyspace.KindExtent
}
