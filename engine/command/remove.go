package command

import "github.com/elares/ironcache/engine/keyspace"

// Expire notes that an entry's time has come. The caller removes it.
func (c *Call) Expire(db int, e keyspace.Entry) {
	c.Expired++
	c.tellGone(db, c.Hash.Key(e.Key()), EventExpired)
}

// Evict removes a found entry to make room. The bytes of k may not be those of
// the entry itself.
func (c *Call) Evict(db int, k keyspace.Key, e keyspace.Entry) {
	c.SpaceOf(db, k).Remove(k, e)
	c.tellGone(db, k, EventEvicted)
}

// Drop removes an entry whose slot is no longer this node's. The bytes of k may
// not be those of the entry itself.
func (c *Call) Drop(db int, k keyspace.Key, e keyspace.Entry) {
	c.SpaceOf(db, k).Remove(k, e)
	c.tellGone(db, k, EventDel)
}

// tellGone tells that a key went away without a command.
func (c *Call) tellGone(db int, k keyspace.Key, event Event) {
	if c.listen == nil {
		return
	}
	e := &c.expiry
	e.Args = append(e.Args, wordDel, k.Bytes)
	e.Touched = append(e.Touched, Touch{db, k, event})
	c.emit(db, e)
}
