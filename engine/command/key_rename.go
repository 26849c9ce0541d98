package command

import (
	"bytes"

	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
)

// rename gives a key another name, replacing what is there.
func rename(c *Call) error {
	var from, to spot
	err := c.findRenamed(&from, &to)
	if err != nil {
		return err
	}
	if !sameKey(&from, &to) {
		if err = c.moveTo(&from, &to, EventRenameFrom, EventRenameTo); err != nil {
			return err
		}
	}
	c.Reply.OK()
	return nil
}

// renamenx gives a key another name unless that is taken.
func renamenx(c *Call) error {
	var from, to spot
	err := c.findRenamed(&from, &to)
	if err != nil {
		return err
	}
	if to.entry.Ok() {
		c.touch(to.entry)
		c.Reply.Int(0)
		return nil
	}
	if err = c.moveTo(&from, &to, EventRenameFrom, EventRenameTo); err != nil {
		return err
	}
	if c.listening() {
		c.say(wordRename, from.key.Bytes, to.key.Bytes)
	}
	c.Reply.Int(1)
	return nil
}

// findRenamed finds the key that RENAME is about, and the place it goes to.
func (c *Call) findRenamed(from, to *spot) error {
	c.find(from, 1)
	if !from.entry.Ok() {
		return resp.ErrNoSuchKey
	}
	c.touch(from.entry)
	c.find(to, 2)
	return nil
}

func sameKey(a, b *spot) bool {
	return a.db == b.db && bytes.Equal(a.key.Bytes, b.key.Bytes)
}

// moveTo moves an entry to another spot, replacing what is there, and notes
// what happened at either end.
func (c *Call) moveTo(from, to *spot, left, arrived Event) error {
	// Looking for the other spot may have deleted an expired entry there,
	// after which an entry found before is not valid any more.
	from.entry = from.space.Find(from.key)
	if err := to.became(keyspace.Move(from.space, from.key, from.entry, to.space, to.key)); err != nil {
		return err
	}
	c.wrote(from, left)
	c.also(to, arrived)
	return nil
}

// move moves a key to another database.
func move(c *Call) error {
	if c.Policy.Cluster {
		return resp.ErrMoveCluster
	}
	db, err := c.db(2)
	if err != nil {
		return err
	}
	if db == c.DB {
		return resp.ErrSameObject
	}
	var from, to spot
	c.find(&from, 1)
	if !from.entry.Ok() {
		c.Reply.Int(0)
		return nil
	}
	c.touch(from.entry)
	c.findIn(&to, db, from.key)
	if to.entry.Ok() {
		c.touch(to.entry)
		c.Reply.Int(0)
		return nil
	}
	if err = c.moveTo(&from, &to, EventMoveFrom, EventMoveTo); err != nil {
		return err
	}
	c.Reply.Int(1)
	return nil
}

// copyKey copies a value to another key.
func copyKey(c *Call) error {
	db, replace, err := c.copyOptions()
	if err != nil {
		return err
	}
	if db == c.DB && bytes.Equal(c.Arg(1), c.Arg(2)) {
		return resp.ErrSameObject
	}
	if c.copiesLater(db, replace) {
		return errLater
	}
	var from, to spot
	c.find(&from, 1)
	c.use(from.entry)
	if !from.entry.Ok() {
		c.Reply.Int(0)
		return nil
	}
	c.findIn(&to, db, c.Key(2))
	if to.entry.Ok() && !replace {
		c.touch(to.entry)
		c.Reply.Int(0)
		return nil
	}
	if err = c.duplicate(&from, &to); err != nil {
		return err
	}
	c.wrote(&to, EventCopyTo)
	c.Reply.Int(1)
	return nil
}

// copiesLater tells whether COPY has to wait for the copy of a long string. It
// looks at the keys without anybody noticing.
func (c *Call) copiesLater(db int, replace bool) bool {
	if !c.MayWait {
		return false
	}
	k := c.Key(1)
	e := c.Space(k).Find(k)
	if !e.Ok() || c.expired(e) {
		return false
	}
	if k = c.Key(2); !replace && c.SpaceOf(db, k).Find(k).Ok() {
		return false
	}
	return c.makes(e)
}

func (c *Call) copyOptions() (db int, replace bool, err error) {
	db = c.DB
	for i := 3; i < c.Argc(); i++ {
		switch {
		case fold(c.Arg(i), "replace"):
			replace = true
		case fold(c.Arg(i), "db") && i+1 < c.Argc():
			i++
			if db, err = c.db(i); err != nil {
				return db, replace, err
			}
		default:
			return db, replace, resp.ErrSyntax
		}
	}
	if c.Policy.Cluster && (db != 0 || c.DB != 0) {
		return db, replace, resp.ErrCopyCluster
	}
	return db, replace, nil
}

// duplicate puts a copy of the value at one spot, expiry included, at another.
func (c *Call) duplicate(from, to *spot) error {
	from.entry = from.space.Find(from.key) // see moveTo
	e := from.entry
	if m := c.takeMade(e); m != nil {
		return to.became(to.space.AssignMade(to.key, to.entry, m, e.Expiry(), c.fresh()))
	}
	if n, ok := e.Int(); ok {
		return to.became(to.space.AssignInt(to.key, to.entry, n, e.Expiry(), c.fresh()))
	}
	kind := e.Kind()
	if kind == keyspace.KindExtent {
		kind = keyspace.KindRaw // it becomes an extent by its length
	}
	return to.became(to.space.Assign(to.key, to.entry, e.Value(&c.digits), kind, e.Expiry(), c.fresh()))
}
