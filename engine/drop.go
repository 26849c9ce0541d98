package engine

import (
	"bytes"

	"github.com/elares/ironcache/engine/keyspace"
)

// DropSlot removes keys of a slot, up to so many, and tells whether some are
// left.
func (s *Shard) DropSlot(slot uint16, most int) (left bool) {
	var keys [][]byte
	for db := range s.store.Databases() {
		keys = keys[:0]
		s.store.Space(db).SlotKeys(slot, most+1, func(e keyspace.Entry) { keys = append(keys, bytes.Clone(e.Key())) })
		for i, text := range keys {
			if i == most {
				return true
			}
			k := s.call.Hash.Key(text)
			s.call.Drop(db, k, s.store.Space(db).Find(k))
		}
		most -= len(keys)
	}
	return false
}
