package judge

import (
	"cmp"
	"slices"

	"github.com/elares/ironcache/sim/door"
)

// holding is what one life of a node did as the holder of a slot by one epoch, or as
// the one that imports it by one migration, whose number the epoch is then: the
// replies that it let go.
type holding struct {
	Life
	slot        uint16
	epoch       uint64
	first, last int64 // replies left
	ends        int64 // the latest end of a lease under which they did
	right       Right
}

// holdings are those of all slots, either by owners or by importers: by slot, then
// by their first reply.
func holdings(e *Evidence, importers bool) []*holding {
	type name struct {
		Life
		slot  uint16
		epoch uint64
	}
	known := map[name]*holding{}
	var list []*holding
	for _, f := range e.Fences {
		if !f.Released {
			continue
		}
		for i, slot := range f.Slots {
			if (f.Epochs[i]&door.Importing != 0) != importers {
				continue
			}
			n := name{f.Life, slot, f.Epochs[i] &^ door.Importing}
			h := known[n]
			if h == nil {
				h = &holding{n.Life, slot, n.epoch, f.At, f.At, f.Ends, Right{slot, f.Epochs[i]}}
				known[n] = h
				list = append(list, h)
			}
			h.first, h.last, h.ends = min(h.first, f.At), max(h.last, f.At), max(h.ends, f.Ends)
		}
	}
	slices.SortFunc(list, func(a, b *holding) int {
		return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.first, b.first), cmp.Compare(a.epoch, b.epoch),
			cmp.Compare(a.Node, b.Node), cmp.Compare(a.Life.Life, b.Life.Life))
	})
	return list
}

// handovers calls a function for each holding of a slot and the one after it: of an
// owner and the next, of an importer and the next, and of an importer and an owner
// that came to own the slot after that migration. An importer and the owner that it
// imports from answer side by side, for other keys.
func handovers(e *Evidence, each func(before, after *holding)) (count int) {
	owners, importers := holdings(e, false), holdings(e, true)
	call := func(before, after *holding) {
		count++
		each(before, after)
	}
	for _, list := range [][]*holding{owners, importers} {
		for i := 1; i < len(list); i++ {
			if list[i].slot == list[i-1].slot {
				call(list[i-1], list[i])
			}
		}
	}
	for _, from := range importers {
		for _, to := range owners {
			if to.slot == from.slot && to.epoch > from.epoch {
				call(from, to)
			}
		}
	}
	return count
}
