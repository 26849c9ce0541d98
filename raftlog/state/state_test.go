package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/slots"
)

func (r *rig) wantSlot(slot uint16, want slots.Slot) {
	r.Helper()
	if got := r.slot(slot); !got.Equal(&want) {
		r.Fatalf("slot %d: %+v with set %+v, want %+v with set %+v", slot, got, got.Set, want, want.Set)
	}
}

func (r *rig) wantOf(n, of slots.Node, shard uint64) {
	r.Helper()
	if m := r.Member(n); m.Of != of || m.Shard != shard {
		r.Fatalf("node %d: replica of %d in shard %d, want %d in %d", n, m.Of, m.Shard, of, shard)
	}
}

func TestForm(t *testing.T) {
	r := newRig(t)
	r.wantSlot(99, slots.Slot{Epoch: 1, Owner: 1, Set: &slots.Set{Version: 1}})
	r.wantSlot(300, slots.Slot{})
	r.wantOf(3, 1, 1)
	r.wantOf(5, 2, 2)
	r.wantOf(6, slots.None, 6)
	if got := r.Map().OwnedBy(1); !slices.Equal(got, []slots.Range{at(0, 99), at(16000, 16383)}) {
		t.Errorf("node 1 owns %v", got)
	}
	if m := r.ByID(idOf(4)); m == nil || m.Number != 4 || r.ByID(idOf(9)) != nil || r.Member(9) != nil {
		t.Errorf("member 4 is %v", m)
	}
}

// The way of redis-cli --cluster create: one node forms, the others join with
// what they claimed.
func TestJoinWithClaims(t *testing.T) {
	r := &rig{tester: t}
	r.must(&Form{[]Founder{founder(2, Voter, slots.None, at(5461, 10922))}})
	index := r.must(join(1, at(0, 5460)), join(3, at(10923, 16383)), join(4), &SetRole{4, 2})
	r.wantSlot(0, slots.Slot{Epoch: index - 2 - 1, Owner: 2, Set: &slots.Set{Version: index - 3}})
	r.wantSlot(16383, slots.Slot{Epoch: index - 2, Owner: 3, Set: &slots.Set{Version: index - 2}})
	if m := r.Member(4); m.Suffrage != Learner || m.Of != 2 || r.Backing(0) != 0 {
		t.Errorf("member 4 is %+v", m)
	}
}

// A member's number is not given again, so that an old entry cannot mean another.
func TestNumbersAreNotReused(t *testing.T) {
	r := newRig(t)
	r.must(&Forget{6}, join(6))
	if m := r.ByID(idOf(6)); m.Number != 7 || m.Shard != 7 || r.Member(6) != nil {
		t.Errorf("it joined again as %+v", m)
	}
	for n, want := range map[slots.Node]bool{slots.None: false, 1: false, 6: true, 7: false, 8: false} {
		if r.Removed(n) != want {
			t.Errorf("number %d was a member's that is none: %v", n, !want)
		}
	}
}

func TestFailover(t *testing.T) {
	r := newRig(t)
	r.must(r.grow(4, 0, 99))
	r.must(r.grow(3, 0, 99))
	renewed := r.must(r.renew(1, 2))
	all := &Assign{How: Promote, To: 3, Incarnation: 1, From: 1, Waited: renewed, Spans: r.span(0, 99)}
	r.must(r.assign(Force, 6, 16000, 16383))
	index := r.must(all)
	// 4 holds all that was acknowledged too, and follows. The old owner is a replica.
	r.wantSlot(50, slots.Slot{Epoch: index, Owner: 3, Set: &slots.Set{Version: index, Members: []slots.Node{4}}})
	r.wantOf(3, slots.None, 1)
	r.wantOf(1, 3, 1)
	r.wantOf(4, 3, 1)
	if r.Backing(50) != 0 {
		t.Errorf("entry %d backs a lease of a node that was never renewed", r.Backing(50))
	}
	r.must(r.renew(3))
	if r.Backing(50) != r.index {
		t.Errorf("entry %d backs the lease, want %d", r.Backing(50), r.index)
	}
}

// A replica that gets some of its owner's slots leaves that owner, its shard and
// the sets of the slots that stay.
func TestPartialFailover(t *testing.T) {
	r := newRig(t)
	r.must(r.grow(4, 0, 99))
	r.must(r.grow(3, 0, 99))
	index := r.must(r.assign(Promote, 3, 0, 49))
	r.wantSlot(49, slots.Slot{Epoch: index, Owner: 3, Set: &slots.Set{Version: index}})
	r.wantSlot(50, slots.Slot{Epoch: 1, Owner: 1, Set: &slots.Set{Version: index, Members: []slots.Node{4}}})
	r.wantOf(1, slots.None, 1)
	r.wantOf(3, slots.None, 7)
	r.wantOf(4, 1, 1)
}

// An owner that loses all slots while others come to it stays an owner.
func TestFailoverOfADestination(t *testing.T) {
	r := newRig(t)
	r.must(r.grow(5, 100, 299))
	r.must(r.begin(2, 0, 0))
	r.must(r.assign(Promote, 5, 100, 299))
	r.wantOf(2, slots.None, 2)
	r.wantOf(5, slots.None, 7)
	if r.slot(0).To != 2 {
		t.Errorf("slot 0 migrates to %d", r.slot(0).To)
	}
}

// Failing over thousands of slots in ranges all over the keyspace is one entry.
func TestFailoverOfManyRangesIsOneEntry(t *testing.T) {
	f := founder(1, Voter, slots.None)
	for slot := uint16(0); slot < slots.Count; slot += 2 {
		f.Owns = append(f.Owns, at(slot, slot))
	}
	r := &rig{tester: t}
	r.must(&Form{[]Founder{f, founder(2, Voter, slots.None)}})
	r.must(r.renew(1))
	e := &Assign{How: Force, To: 2, Incarnation: 1, From: 1, Waited: r.index}
	for _, owned := range r.Map().OwnedBy(1) {
		e.Spans = append(e.Spans, Span{owned, 1})
	}
	data, err := Encode(e)
	if err != nil || len(data) > 64<<10 {
		t.Fatalf("%d bytes for %d ranges: %v", len(data), len(e.Spans), err)
	}
	r.must(e)
	if r.Map().Owns(1) || size(r.Map().OwnedBy(2)) != slots.Count/2 {
		t.Error("slots were left behind")
	}
	t.Logf("%d ranges in %d bytes", len(e.Spans), len(data))
}

// After a restart nothing is served that an earlier process may serve yet, though
// the new process has a lease; the wait is for the earlier process's lease alone.
func TestRestartedOwner(t *testing.T) {
	r := newRig(t)
	r.must(r.grow(3, 0, 99))
	former := r.must(r.renew(1))
	anew := r.must(r.restart(1))
	r.wantSlot(0, slots.Slot{Epoch: 1, Owner: 1, Standing: slots.Orphaned, Set: &slots.Set{Version: anew - 2, Members: []slots.Node{3}}})
	r.must(r.renew(1))
	r.must(r.renew(1))
	if r.Map().ServedBy(0, 1) || r.Backing(0) != former {
		t.Errorf("served: %v, backed by %d, want %d", r.Map().ServedBy(0, 1), r.Backing(0), former)
	}
	index := r.must(r.assign(Resume, 1, 0, 99))
	r.wantSlot(0, slots.Slot{Epoch: index, Owner: 1, Set: &slots.Set{Version: index}})
	r.wantOf(1, slots.None, 1)
	if !r.Map().ServedBy(0, 1) || r.Map().ServedBy(16000, 1) || r.Backing(0) != index-1 {
		t.Error("slots that were not assigned again are served, or those that were are not")
	}
	// Its next start has been renewed: that is what the next wait is for.
	r.must(r.restart(1))
	if r.Backing(0) != index-1 || r.Backing(16000) != index-1 {
		t.Errorf("backed by %d and %d, want %d", r.Backing(0), r.Backing(16000), index-1)
	}
}

// The first announcement of a node whose start was not known is no restart.
func TestFirstAnnouncement(t *testing.T) {
	f := founder(1, Voter, slots.None, at(0, 16383))
	f.Incarnation = 0
	r := &rig{tester: t}
	r.must(&Form{[]Founder{f}})
	r.refused(StaleIncarnation, &Renew{[]Request{{1, Stamp{1, 1}}}})
	moved := addressOf(9)
	moved.Hostname, moved.Endpoint, moved.ShardPorts = "a.example", ByHostname, []uint16{7001, 7002}
	r.must(&Announce{1, Stamp{4, 2}, 1, moved})
	if m := r.Member(1); !r.Map().ServedBy(0, 1) || m.Address.Hostname != "a.example" || m.Stamp != (Stamp{4, 2}) {
		t.Errorf("member 1 is %+v", m)
	}
	r.must(r.renew(1))
}

func TestRestartedReplicaIsNotInSync(t *testing.T) {
	r := newRig(t)
	r.must(r.grow(4, 0, 99))
	r.must(r.grow(3, 0, 49))
	index := r.must(r.restart(3))
	r.wantSlot(0, slots.Slot{Epoch: 1, Owner: 1, Set: &slots.Set{Version: index, Members: []slots.Node{4}}})
	r.wantSlot(50, slots.Slot{Epoch: 1, Owner: 1, Set: &slots.Set{Version: index - 2, Members: []slots.Node{4}}})
}

func TestRestartedDestinationImportsNothing(t *testing.T) {
	r := newRig(t)
	r.must(r.begin(6, 0, 99))
	cut := r.must(r.restart(6))
	r.wantSlot(0, slots.Slot{Epoch: 1, Owner: 1, Cut: cut, Set: &slots.Set{Version: 1}})
}

func TestReleaseNeedsNoWait(t *testing.T) {
	r := newRig(t)
	r.must(r.grow(3, 0, 99))
	renewed := r.must(r.renew(1))
	r.must(&Release{1, r.stamp(1), r.span(0, 99)})
	if r.Map().ServedBy(0, 1) || r.Backing(0) != 0 || r.Backing(16000) != renewed {
		t.Errorf("backed by %d and %d", r.Backing(0), r.Backing(16000))
	}
	r.must(r.renew(1)) // for the slots that it still has
	index := r.must(&Assign{How: Promote, To: 3, Incarnation: 1, From: 1, Spans: r.span(0, 99)})
	r.wantSlot(0, slots.Slot{Epoch: index, Owner: 3, Set: &slots.Set{Version: index}})
}

func TestUnassign(t *testing.T) {
	r := newRig(t)
	renewed := r.must(r.renew(1))
	r.must(r.begin(6, 0, 50))
	index := r.must(&Unassign{1, renewed, r.span(0, 99)})
	r.wantSlot(0, slots.Slot{Epoch: index, Cut: index, Set: &slots.Set{Version: index}})
	next := r.must(r.assign(Claim, 6, 0, 99))
	r.wantSlot(0, slots.Slot{Epoch: next, Owner: 6, Cut: index, Set: &slots.Set{Version: next}})
}

func TestMigration(t *testing.T) {
	r := newRig(t)
	r.must(r.renew(1, 2))
	move := r.must(r.begin(2, 98, 99))
	if s := r.slot(98); s.Owner != 1 || s.To != 2 || s.Move != move {
		t.Fatalf("slot 98 is %+v", s)
	}
	index := r.must(r.flip(98, Synced{5, 1}, Synced{5, 1}))
	r.wantSlot(98, slots.Slot{Epoch: index, Owner: 2, Via: move, Set: &slots.Set{Version: index, Members: []slots.Node{5}}})
	cut := r.must(&CancelMigration{[]MoveSpan{{at(99, 99), move}}})
	r.wantSlot(99, slots.Slot{Epoch: 1, Owner: 1, Cut: cut, Set: &slots.Set{Version: 1}})
}

// A slot that is taken from a source that is gone and given to the destination has
// come to it by the migration; given to another, the migration was cut off.
func TestForceDuringMigration(t *testing.T) {
	for _, to := range []slots.Node{2, 6} {
		r := newRig(t)
		move := r.must(r.begin(2, 98, 98))
		index := r.must(r.assign(Force, to, 98, 98))
		want := slots.Slot{Epoch: index, Owner: to, Via: move, Set: &slots.Set{Version: index}}
		if to != 2 {
			want.Via, want.Cut = 0, index
		}
		r.wantSlot(98, want)
	}
}

// The source surrendered the slot before it proposed the flip: that it was
// started anew since, or has released the slot, takes nothing from the flip.
func TestFlipOfASourceThatIsGone(t *testing.T) {
	r := newRig(t)
	r.must(r.begin(2, 98, 99))
	r.must(r.restart(1))
	index := r.must(r.flip(98))
	if s := r.slot(98); s.Epoch != index || s.Owner != 2 || s.Via == 0 || s.Cut != 0 {
		t.Errorf("slot 98 is %+v", s)
	}
}

// One request that is stale does not keep others from their leases.
func TestRenewPassesOverStaleRequests(t *testing.T) {
	r := newRig(t)
	index := r.must(&Renew{[]Request{{7, Stamp{1, 1}}, {1, Stamp{2, 1}}, {2, Stamp{1, 6}}}})
	if m := r.Member(2); m.Renew != (Renewal{6, index}) || r.Member(1).Renew != (Renewal{}) {
		t.Errorf("members %+v and %+v", r.Member(1), m)
	}
}

func TestBumpEpoch(t *testing.T) {
	r := newRig(t)
	r.must(r.assign(Claim, 1, 300, 300))
	before := r.index
	if r.must(&BumpEpoch{1}); r.Member(1).Epoch != r.index || r.Map().Epoch(300) != before {
		t.Errorf("bumped to %d, slot 300 to %d", r.Member(1).Epoch, r.Map().Epoch(300))
	}
}

func TestBarrier(t *testing.T) {
	r := newRig(t)
	index := r.must(&Barrier{2, 7})
	if r.Barrier() != (Mark{7, index, 2}) || r.Changed() != index {
		t.Errorf("barrier %+v", r.Barrier())
	}
}

func TestRoles(t *testing.T) {
	r := newRig(t)
	r.must(&SetRole{3, 2})
	r.wantOf(3, 2, 2)
	r.must(&SetRole{3, slots.None})
	r.wantOf(3, slots.None, 7)
	r.must(&SetSuffrage{6, Voter}, &SetSuffrage{1, Learner})
	if r.Member(6).Suffrage != Voter || r.Member(1).Suffrage != Learner {
		t.Error("the votes are as before")
	}
}

// A copy of a State stays as it is, and shares with the next what did not change.
func TestCopiesStay(t *testing.T) {
	r := newRig(t)
	before, bytes := r.State, string(r.Snapshot())
	r.must(r.renew(1))
	if before.Map() != r.Map() {
		t.Error("a renewal made another map")
	}
	r.must(r.assign(Claim, 6, 300, 300), &Forget{4}, &SetSuffrage{5, Voter})
	if string(before.Snapshot()) != bytes {
		t.Error("a copy changed")
	}
	if got := r.Map().Changed(before.Map()); !slices.Equal(got, []slots.Range{at(300, 300)}) {
		t.Errorf("changed: %v", got)
	}
}

func TestIDs(t *testing.T) {
	text := "0123456789abcdef0123456789abcdef01234567"
	id, err := ParseID(text)
	if err != nil || id.String() != text {
		t.Errorf("%v, %v", id, err)
	}
	for _, bad := range []string{"", text[1:], text + "0", strings.Replace(text, "a", "g", 1)} {
		if _, err := ParseID(bad); err == nil {
			t.Errorf("%q is an id", bad)
		}
	}
}
