package netio

import (
	"bytes"

	"github.com/elares/ironcache/engine"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/engine/resp"
)

// watched is a key that a client watches.
type watched struct {
	db    int
	key   []byte
	shard int
	mark  *engine.Watch
}

type watchedName struct {
	db  int
	key string
}

// fewWatched is up to how many watched keys are looked through one by one.
const fewWatched = 16

// watch notes keys whose change will make the next EXEC fail. The loops that
// own them stand still.
func watch(r *Request) {
	c, l := r.Conn, r.Loop
	if c.tx != nil {
		r.Reply.Error(resp.ErrWatchInMulti)
		return
	}
	for i := 1; i < r.Len(); i++ {
		l.watchKey(c, r.At(i))
	}
	r.Reply.OK()
}

func (l *Loop) watchKey(c *Conn, key []byte) {
	if c.watches(key) {
		return
	}
	k := keyspace.Key{Bytes: bytes.Clone(key), Place: l.node.hash.Place(key)}
	shard := int(l.shardOf(k.Place))
	mark := l.node.loops[shard].shard.Watch(c.db, k)
	c.watching = append(c.watching, watched{c.db, k.Bytes, shard, mark})
	if c.watchedIn != nil {
		c.watchedIn[watchedName{c.db, string(key)}] = true
	}
}

// watches tells whether the client watches a key already. Few are found one by
// one; of many an index is kept.
func (c *Conn) watches(key []byte) bool {
	if len(c.watching) <= fewWatched {
		for i := range c.watching {
			if w := &c.watching[i]; w.db == c.db && bytes.Equal(w.key, key) {
				return true
			}
		}
		return false
	}
	if c.watchedIn == nil {
		c.watchedIn = map[watchedName]bool{}
		for i := range c.watching {
			w := &c.watching[i]
			c.watchedIn[watchedName{w.db, string(w.key)}] = true
		}
	}
	return c.watchedIn[watchedName{c.db, string(key)}]
}

// watchesHold tells whether no watched key has changed. The loops that own the
// keys stand still.
func (l *Loop) watchesHold(c *Conn) bool {
	for i := range c.watching {
		w := &c.watching[i]
		if !l.node.loops[w.shard].shard.Holds(w.mark) {
			return false
		}
	}
	return true
}

func unwatch(r *Request) {
	r.Loop.unwatch(r.Conn)
	r.Reply.OK()
}

// unwatch forgets what a client watches. The owners are told in their own time,
// each once.
func (l *Loop) unwatch(c *Conn) {
	var owners shardSet
	list := c.watching
	for i := range list {
		owners.add(list[i].shard)
	}
	c.watching, c.watchedIn = nil, nil
	for _, owner := range l.node.loops {
		if owners.has(owner.id) {
			l.tell(owner, func(owner *Loop) { owner.unwatchOwn(list) })
		}
	}
}

// unwatchOwn ends the watches of a list that are of this loop's keys.
func (l *Loop) unwatchOwn(list []watched) {
	for i := range list {
		if list[i].shard == l.id {
			l.shard.Unwatch(list[i].mark)
		}
	}
}
