package judge

import (
	"cmp"
	"slices"
)

// holding is what one life of a node did as the holder of a slot by one epoch: the
// replies that it let go.
type holding struct {
	Life
	slot        uint16
	epoch       uint64
	first, last int64 // replies left
	ends        int64 // the latest end of a lease under which they did
}

// holdings are those of all slots: by slot, then by their first reply.
func holdings(e *Evidence) []*holding {
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
			n := name{f.Life, slot, f.Epochs[i]}
			h := known[n]
			if h == nil {
				h = &holding{n.Life, slot, n.epoch, f.At, f.At, f.Ends}
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

// handovers calls a function for each holding of a slot and the one after it.
func handovers(e *Evidence, each func(before, after *holding)) (count int) {
	list := holdings(e)
	for i := 1; i < len(list); i++ {
		if list[i].slot == list[i-1].slot {
			count++
			each(list[i-1], list[i])
		}
	}
	return count
}
