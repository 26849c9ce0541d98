package engine

import (
	"slices"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/slots"
)

// Watch is one client's interest in one key of this shard.
type Watch struct {
	key   watchKey
	place uint64
	gone  bool // it had expired, or was missing, when the watch began
	dirty bool // the key changed since
}

type watchKey struct {
	db   int
	name string
}

// watches knows who watches what.
type watches struct {
	byKey map[watchKey][]*Watch
}

func (w *watches) empty() bool { return len(w.byKey) == 0 }

// Watch begins to watch a key.
func (s *Shard) Watch(db int, k keyspace.Key) *Watch {
	s.setNow(s.clock.Monotonic())
	w := &Watch{key: watchKey{db, string(k.Bytes)}, place: k.Place}
	w.gone = !s.lives(w)
	s.watches.byKey[w.key] = append(s.watches.byKey[w.key], w)
	s.hearIfNeeded()
	return w
}

// Unwatch ends a watch.
func (s *Shard) Unwatch(w *Watch) {
	list := s.watches.byKey[w.key]
	if i := slices.Index(list, w); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	s.watches.byKey[w.key] = list
	if len(list) == 0 {
		delete(s.watches.byKey, w.key)
	}
	s.hearIfNeeded()
}

// Holds tells that the key of a watch has neither changed nor expired.
func (s *Shard) Holds(w *Watch) bool {
	s.setNow(s.clock.Monotonic())
	return !w.dirty && (w.gone || s.lives(w))
}

// lives tells whether a watched key is there and has not expired.
func (s *Shard) lives(w *Watch) bool {
	return s.has(w.key.db, keyspace.Key{Bytes: []byte(w.key.name), Place: w.place})
}

// mark makes the watches of what an effect touched dirty. The coordinator of a
// barrier touches keys of other shards, which know who watches them.
func (s *Shard) mark(e *command.Effect) {
	for i := range e.Touched {
		t := &e.Touched[i]
		s.owner(t.Key).watches.mark(t)
	}
	if len(e.Swept) > 0 {
		for _, other := range s.all() {
			other.markSwept(e.Swept)
		}
	}
}

// all are the shards of the node.
func (s *Shard) all() []*Shard {
	if len(s.evict.peers) == 0 {
		return []*Shard{s}
	}
	return s.evict.peers
}

// owner is the shard of a key.
func (s *Shard) owner(k keyspace.Key) *Shard {
	peers := s.evict.peers
	if len(peers) == 0 {
		return s
	}
	return peers[slots.Shard(uint16(k.Place>>50), len(peers))]
}

// mark makes the watches of a key dirty. That a key is removed which had
// expired before it was watched is no change.
func (w *watches) mark(t *command.Touch) {
	if w.empty() {
		return
	}
	for _, watch := range w.byKey[watchKey{t.DB, string(t.Key.Bytes)}] {
		if !watch.gone || t.Event != command.EventExpired {
			watch.dirty = true
		}
	}
}

// markSwept makes the watches dirty whose keys were there before databases changed
// as a whole, or are there now. One that was there when its watch began, and is not
// dirty, is still there or has expired.
func (s *Shard) markSwept(databases []int) {
	s.setNow(s.clock.Monotonic())
	for _, list := range s.watches.byKey {
		for _, w := range list {
			changed := slices.Contains(databases, w.key.db)
			w.dirty = w.dirty || changed && (!w.gone || s.lives(w))
		}
	}
}

// Dirty tells that the key has changed since the watch began.
func (w *Watch) Dirty() bool { return w.dirty }

// WatchedKeys counts the keys that somebody watches.
func (s *Shard) WatchedKeys() int { return len(s.watches.byKey) }
