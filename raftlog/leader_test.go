package raftlog

import (
	"testing"

	"github.com/elares/ironcache/slots"
)

// A leader looks for slots to give back only in maps that have some.
func TestOrphaned(t *testing.T) {
	edit := slots.NewMap().Edit()
	edit.Put(7, slots.Slot{Epoch: 1, Owner: 1, Set: &slots.Set{}})
	served := edit.Map()
	edit = served.Edit()
	edit.Put(9, slots.Slot{Epoch: 2, Owner: 1, Set: &slots.Set{}, Standing: slots.Orphaned})
	if orphaned(slots.NewMap()) || orphaned(served) || !orphaned(edit.Map()) {
		t.Errorf("an empty map: %v, a served slot: %v, one that waits: %v", orphaned(slots.NewMap()), orphaned(served), orphaned(edit.Map()))
	}
}
