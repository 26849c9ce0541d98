package state

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/slots"
)

// rich has something of everything.
func rich(t tester) *rig {
	r := newRig(t)
	r.must(r.grow(3, 0, 99))
	r.must(r.grow(4, 0, 49))
	r.must(r.renew(1, 2), r.begin(6, 98, 99), &Barrier{1, 3}, &BumpEpoch{2}, &Forget{5})
	r.must(&Release{1, r.stamp(1), r.span(10, 20)})
	r.must(r.restart(2))
	r.must(r.renew(2))
	r.must(r.assign(Resume, 2, 200, 299))
	r.must(&Unassign{2, r.Backing(299), r.span(299, 299)})
	return r
}

// A restore replaces all; nothing of what was there stays.
func TestRestoreReplaces(t *testing.T) {
	r := rich(t)
	snapshot := r.Snapshot()
	for name, other := range map[string]*rig{"empty": {tester: t}, "formed": newRig(t), "further on": rich(t)} {
		if name == "further on" {
			other.must(join(7), join(8), &Barrier{2, 9})
			other.must(other.assign(Claim, 8, 400, 500))
		}
		if err := other.Restore(snapshot); err != nil || !bytes.Equal(other.Snapshot(), snapshot) {
			t.Errorf("%s: %v", name, err)
		}
		if changed := other.Map().Changed(r.Map()); changed != nil || other.Member(8) != nil || other.Barrier() != r.Barrier() {
			t.Errorf("%s: changed %v", name, changed)
		}
	}
	empty := State{}
	if err := r.Restore(empty.Snapshot()); err != nil || r.Formed() || len(r.Members()) != 0 || r.Map().Owns(1) {
		t.Errorf("an empty state: %v", err)
	}
	t.Logf("%d bytes", len(snapshot))
}

// A snapshot writes to nothing that copies of the state share: others may read those
// at the same time.
func TestSnapshotLeavesTheState(t *testing.T) {
	r := rich(t)
	before := slices.Clone(r.Members())
	r.Snapshot()
	if !slices.Equal(before, r.Members()) { // the same members, not only equal ones
		t.Error("the members were replaced")
	}
}

// unsound is the snapshot of a state after a change that no entry makes.
func unsound(state State, change func(*State)) []byte {
	change(&state)
	return state.Snapshot()
}

func TestRestoreRefuses(t *testing.T) {
	r := rich(t)
	snapshot, state := r.Snapshot(), r.State
	broken := func(change func(*State)) []byte { return unsound(state, change) }
	put := func(slot uint16, change func(*slots.Slot)) []byte {
		return unsound(state, func(s *State) {
			edit := s.Map().Edit()
			at := edit.At(slot)
			change(&at)
			edit.Put(slot, at)
			s.slots = edit.Map()
		})
	}
	member := func(change func(*Member)) []byte {
		return unsound(state, func(s *State) {
			d := newDraft(s, 99)
			change(d.change(3))
			*s = d.State
		})
	}
	for _, row := range []struct {
		want string
		data []byte
	}{
		{"is empty", nil},
		{"has version 0", []byte{0}},
		{"has version 1", []byte{1, 1}},
		{"bytes follow", append(bytes.Clone(snapshot), 0)},
		{"formed: false", broken(func(s *State) { s.formed = false })},
		{"0 voters", broken(func(s *State) { s.members = nil; s.slots = nil })},
		{"barrier", broken(func(s *State) { s.barrier.Index = 99 })},
		{"entries of version 2 decided, and this program understands 1", broken(func(s *State) { s.version = 2 })},
		{"were given", broken(func(s *State) { s.numbers = 5 })},
		{"were given", broken(func(s *State) { s.shards = 5 })},
		{"comes after", broken(func(s *State) { s.members = append(s.members, s.members[0]) })},
		{"another's", member(func(m *Member) { m.ID = idOf(1) })},
		{"another's", member(func(m *Member) { m.Of = slots.None })},
		{"replica of 4", member(func(m *Member) { m.Of = 4 })},
		{"replica of 9", member(func(m *Member) { m.Of = 9 })},
		{"replica of 3", member(func(m *Member) { m.Of = 3 })},
		{"of shard 2", member(func(m *Member) { m.Shard = 2 })},
		{"renewed at", member(func(m *Member) { m.Former = 99 })},
		{"renewed at", member(func(m *Member) { m.Former, m.Renew.Index = 3, 3 })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Epoch = 99 })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Cut = 99 })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Via = 99 })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Owner = 3 })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Owner = 9 })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Owner = slots.None })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Move = 4 })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.To, s.Move = 3, 4 })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.To, s.Move = 1, 4 })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.To, s.Move = 6, 1 })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.To, s.Move = 6, 99 })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Set = &slots.Set{Version: 99} })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Set = &slots.Set{} })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Set = &slots.Set{Version: 2, Members: []slots.Node{4, 3}} })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Set = &slots.Set{Version: 2, Members: []slots.Node{3, 3}} })},
		{"slots 0 to 0 are", put(0, func(s *slots.Slot) { s.Set = &slots.Set{Version: 2, Members: []slots.Node{6}} })},
		{"slots 299 to 299 are", put(299, func(s *slots.Slot) { s.Standing = slots.Orphaned })},
	} {
		err := r.Restore(row.data)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v, want %q", err, row.want)
		}
		if !bytes.Equal(r.Snapshot(), snapshot) {
			t.Fatalf("%q: the state changed", row.want)
		}
	}
}

func TestRestoreRefusesParts(t *testing.T) {
	r := rich(t)
	snapshot := r.Snapshot()
	for n := range snapshot {
		if r.Restore(snapshot[:n]) == nil {
			t.Errorf("%d of %d bytes are a snapshot", n, len(snapshot))
		}
	}
}

// Two runs that say the same are one: equal states have equal snapshots.
func TestRestoreRefusesSplitRuns(t *testing.T) {
	c := &coder{bytes: []byte{snapshotVersion}}
	empty := State{}
	head := empty.Snapshot()
	c.bytes = bytes.Clone(head[:len(head)-3]) // without the one run to slot 16383 of epoch 0
	for i, last := range []uint16{99, slots.Count - 1} {
		item := run{last: last}
		item.code(c, 100*i)
	}
	if err := empty.Restore(c.bytes); err == nil || !strings.Contains(err.Error(), "are one") {
		t.Errorf("%v", err)
	}
}

// FuzzRestore: bytes are refused, or are the snapshot of what they restore.
func FuzzRestore(f *testing.F) {
	empty := State{}
	f.Add(empty.Snapshot())
	f.Add(rich(f).Snapshot())
	f.Fuzz(func(t *testing.T, data []byte) {
		s := State{}
		if s.Restore(data) != nil {
			return
		}
		if !bytes.Equal(s.Snapshot(), data) {
			t.Errorf("%x came back as %x", data, s.Snapshot())
		}
	})
}
