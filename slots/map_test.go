package slots

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawSlot draws what may be said of a slot, often something seen before.
func drawSlot(t *rapid.T) Slot {
	s := Slot{Epoch: rapid.Uint64Range(0, 3).Draw(t, "epoch")}
	if s.Epoch == 0 {
		return Slot{}
	}
	s.Owner = Node(rapid.Uint32Range(0, 3).Draw(t, "owner"))
	s.Set = &Set{Version: s.Epoch}
	if s.Owner != None {
		s.Standing = Standing(rapid.Uint8Range(0, 2).Draw(t, "standing"))
		for n := range rapid.IntRange(0, 2).Draw(t, "in sync") {
			s.Set.Members = append(s.Set.Members, Node(5+n))
		}
		if rapid.Bool().Draw(t, "migrates") {
			s.To, s.Move = 4, 9
		}
	}
	return s
}

// drawRange draws a range near the borders of pages.
func drawRange(t *rapid.T) Range {
	at := rapid.IntRange(0, pages).Draw(t, "page")*pageSize + rapid.IntRange(-2, 2).Draw(t, "off")
	first := min(max(at, 0), Count-1)
	last := min(first+rapid.SampledFrom([]int{0, 1, 3, 127, 128, 300}).Draw(t, "more"), Count-1)
	return Range{uint16(first), uint16(last)}
}

// A Map equals an array that is copied whole at every change; earlier maps stay
// as they were.
func TestMapIsAnArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type version struct {
			m     *Map
			array [Count]Slot
		}
		versions := []version{{m: NewMap()}}
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			base := versions[rapid.IntRange(0, len(versions)-1).Draw(t, "base")]
			edit := base.m.Edit()
			next := version{array: base.array}
			for range rapid.IntRange(0, 5).Draw(t, "puts") {
				s := drawSlot(t)
				for r, slot := drawRange(t), 0; slot < r.Size(); slot++ {
					edit.Put(r.First+uint16(slot), s)
					next.array[int(r.First)+slot] = s
				}
			}
			next.m = edit.Map()
			versions = append(versions, next)
		}
		for _, v := range versions {
			checkMap(t, v.m, &v.array)
		}
		first, last := versions[0], versions[len(versions)-1]
		checkChanged(t, last.m.Changed(first.m), &first.array, &last.array)
	})
}

func checkMap(t *rapid.T, m *Map, array *[Count]Slot) {
	for slot := range uint16(Count) {
		want, got := array[slot], m.At(slot)
		if !got.Equal(&want) || m.Owner(slot) != want.Owner || m.Epoch(slot) != want.Epoch {
			t.Fatalf("slot %d: %+v, want %+v", slot, got, want)
		}
		if m.ServedBy(slot, want.Owner) != (want.Standing == Served) || m.ServedBy(slot, want.Owner+1) {
			t.Fatalf("slot %d: served by %d: %v", slot, want.Owner, m.ServedBy(slot, want.Owner))
		}
	}
	next := 0
	for r, slot := range m.Runs() {
		if int(r.First) != next || next > 0 && array[next-1].Equal(&slot) {
			t.Fatalf("run %v after slot %d", r, next-1)
		}
		for i := r.First; i <= r.Last; i++ {
			if !array[i].Equal(&slot) {
				t.Fatalf("run %v: slot %d is %+v, not %+v", r, i, array[i], slot)
			}
		}
		next = int(r.Last) + 1
	}
	if next != Count {
		t.Fatalf("runs end at %d", next)
	}
	checkOwners(t, m, array)
}

func checkOwners(t *rapid.T, m *Map, array *[Count]Slot) {
	byNode := map[Node][]Range{}
	for r, owner := range m.Owners() {
		byNode[owner] = append(byNode[owner], r)
	}
	for n := Node(1); n <= 4; n++ {
		var want []Range
		imports, syncs := false, false
		for slot := range uint16(Count) {
			if array[slot].Owner == n {
				want = appendSlot(want, slot)
			}
			imports = imports || array[slot].To == n
			syncs = syncs || slices.Contains(array[slot].InSync(), n+3)
		}
		if !slices.Equal(byNode[n], want) || !slices.Equal(m.OwnedBy(n), want) || m.Owns(n) != (want != nil) {
			t.Fatalf("node %d: %v and %v, want %v", n, byNode[n], m.OwnedBy(n), want)
		}
		if m.Imports(n) != imports || m.Syncs(n+3) != syncs {
			t.Fatalf("node %d: imports %v, syncs %v", n, m.Imports(n), m.Syncs(n+3))
		}
	}
	if _, ok := byNode[None]; ok {
		t.Fatal("slots of nobody are listed")
	}
}

func checkChanged(t *rapid.T, got []Range, before, after *[Count]Slot) {
	var want []Range
	for slot := range uint16(Count) {
		if !before[slot].Equal(&after[slot]) {
			want = appendSlot(want, slot)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("changed: %v, want %v", got, want)
	}
}

// A change copies the pages that it touches and no other.
func TestPagesAreShared(t *testing.T) {
	base := NewMap()
	edit := base.Edit()
	for slot := range uint16(Count) {
		edit.Put(slot, Slot{Epoch: 1, Owner: 1, Set: &Set{Version: 1}})
	}
	full := edit.Map()
	edit = full.Edit()
	edit.Put(5, full.At(5)) // says what stands there
	edit.Put(128, Slot{Epoch: 2, Owner: 2, Set: &Set{Version: 2}})
	edit.Put(255, Slot{Epoch: 2, Owner: 2, Set: &Set{Version: 2}})
	edit.Put(Count-1, Slot{Epoch: 2, Owner: 2, Set: &Set{Version: 2}})
	next := edit.Map()
	for i := range next.pages {
		if shared := next.pages[i] == full.pages[i]; shared != (i != 1 && i != pages-1) {
			t.Errorf("page %d is shared: %v", i, shared)
		}
	}
	if full.Owner(128) != 1 || full.Owner(Count-1) != 1 || next.Owner(129) != 1 {
		t.Error("an edit changed what it did not put")
	}
	if same := full.Edit(); same.Map() != full {
		t.Error("an edit without a change made another map")
	}
	if blank != (page{}) {
		t.Error("the blank page was written to")
	}
}

// An edit that goes on after its map was taken leaves that map alone.
func TestEditGoesOn(t *testing.T) {
	edit := NewMap().Edit()
	edit.Put(1, Slot{Epoch: 1, Owner: 1, Set: &Set{}})
	first := edit.Map()
	edit.Put(1, Slot{Epoch: 2, Owner: 2, Set: &Set{}})
	second := edit.Map()
	if first.Owner(1) != 1 || second.Owner(1) != 2 || edit.At(1).Epoch != 2 {
		t.Errorf("owners %d and %d", first.Owner(1), second.Owner(1))
	}
}

func TestCompact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(rapid.Custom(drawRange)).Draw(t, "ranges")
		want := map[uint16]bool{}
		for _, r := range list {
			for slot := int(r.First); slot <= int(r.Last); slot++ {
				want[uint16(slot)] = true
			}
		}
		var ranges []Range
		for _, slot := range slices.Sorted(maps.Keys(want)) {
			ranges = appendSlot(ranges, slot)
		}
		if got := Compact(list); !slices.Equal(got, ranges) {
			t.Fatalf("Compact(%v) = %v, want %v", list, got, ranges)
		}
	})
}

func TestLookupAllocatesNothing(t *testing.T) {
	m, sum := NewMap(), uint64(0)
	if n := testing.AllocsPerRun(100, func() {
		for slot := range uint16(Count) {
			at := m.At(slot)
			sum += uint64(m.Owner(slot)) + m.Epoch(slot) + at.Version()
			if m.ServedBy(slot, 1) || at.Has(1) {
				sum++
			}
		}
	}); n != 0 || sum != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkServedBy(b *testing.B) {
	m, slot := NewMap(), uint16(0)
	for b.Loop() {
		if m.ServedBy(slot, 1) {
			b.Fatal("nobody serves it")
		}
		slot += 4099
	}
}
