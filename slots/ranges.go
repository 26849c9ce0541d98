package slots

import (
	"iter"
	"slices"
)

// Range is the slots from First to Last, both included, First <= Last.
type Range struct{ First, Last uint16 }

// Size is the number of slots.
func (r Range) Size() int { return int(r.Last) - int(r.First) + 1 }

// All are all slots.
var All = Range{0, Count - 1}

// Runs lists the map as maximal runs of equal slots, ascending; together they
// are all slots.
func (m *Map) Runs() iter.Seq2[Range, Slot] {
	return m.runs(func(a, b *Slot) bool { return a.Equal(b) })
}

// Owners lists maximal ranges with one owner, ascending, as CLUSTER SLOTS shows
// them. Slots without an owner are left out.
func (m *Map) Owners() iter.Seq2[Range, Node] {
	return func(yield func(Range, Node) bool) {
		for r, slot := range m.runs(func(a, b *Slot) bool { return a.Owner == b.Owner }) {
			if slot.Owner != None && !yield(r, slot.Owner) {
				return
			}
		}
	}
}

// runs lists maximal runs of neighbours that are alike in the caller's eyes, each
// with its first slot. Slots that are the same are alike.
func (m *Map) runs(alike func(a, b *Slot) bool) iter.Seq2[Range, Slot] {
	return func(yield func(Range, Slot) bool) {
		first, last := uint16(0), m.at(0)
		for i, p := range m.pages {
			for j := range p {
				next := &p[j]
				if last.same(next) || alike(last, next) {
					continue
				}
				slot := uint16(i<<pageBits | j)
				if !yield(Range{first, slot - 1}, *last) {
					return
				}
				first, last = slot, next
			}
		}
		yield(Range{first, Count - 1}, *last)
	}
}

// Where lists the maximal ranges of slots that a test holds for, ascending.
func (m *Map) Where(holds func(*Slot) bool) (list []Range) {
	for i := range m.pages {
		for j := range m.pages[i] {
			if holds(&m.pages[i][j]) {
				list = appendSlot(list, uint16(i<<pageBits|j))
			}
		}
	}
	return list
}

// Changed lists the maximal ranges of slots that are not as they were in an
// earlier map, ascending. Pages that both share are not looked at.
func (m *Map) Changed(since *Map) (list []Range) {
	for i := range m.pages {
		if m.pages[i] == since.pages[i] {
			continue
		}
		for j := range m.pages[i] {
			if !m.pages[i][j].Equal(&since.pages[i][j]) {
				list = appendSlot(list, uint16(i<<pageBits|j))
			}
		}
	}
	return list
}

func appendSlot(list []Range, slot uint16) []Range {
	if n := len(list); n > 0 && list[n-1].Last+1 == slot {
		list[n-1].Last = slot
		return list
	}
	return append(list, Range{slot, slot})
}

// OwnedBy lists the ranges of a node, ascending.
func (m *Map) OwnedBy(n Node) []Range {
	return m.Where(func(s *Slot) bool { return s.Owner == n })
}

// Owns tells whether a node owns a slot.
func (m *Map) Owns(n Node) bool { return m.any(func(s *Slot) bool { return s.Owner == n }) }

// Imports tells whether a slot migrates to a node.
func (m *Map) Imports(n Node) bool { return m.any(func(s *Slot) bool { return s.To == n }) }

// Syncs tells whether a node is in the in-sync set of a slot.
func (m *Map) Syncs(n Node) bool { return m.any(func(s *Slot) bool { return s.Has(n) }) }

func (m *Map) any(holds func(*Slot) bool) bool {
	for _, page := range m.pages {
		for j := range page {
			if holds(&page[j]) {
				return true
			}
		}
	}
	return false
}

// Compact makes ascending ranges without overlaps or neighbours of any list of
// ranges.
func Compact(list []Range) (compact []Range) {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b Range) int { return int(a.First) - int(b.First) })
	for _, r := range sorted {
		if n := len(compact); n > 0 && int(compact[n-1].Last)+1 >= int(r.First) {
			compact[n-1].Last = max(compact[n-1].Last, r.Last)
			continue
		}
		compact = append(compact, r)
	}
	return compact
}
