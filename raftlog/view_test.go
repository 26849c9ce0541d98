package raftlog

import (
	"testing"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// Where a migration was cut off, the former destination may answer for as long as a
// lease is waited for, from when a node learnt of it: also if it learnt of it as it
// was started.
func TestCutsAreWaitedOut(t *testing.T) {
	lease := slots.DefaultLease
	place := func(n byte) state.Founder {
		return state.Founder{ID: state.ID{n}, Incarnation: 1, Speaks: 1, Suffrage: state.Voter,
			Address: state.Address{Host: "10.0.0.1", Port: uint16(n), BusPort: 100 + uint16(n), ReplicationPort: 3}}
	}
	one, two := place(1), place(2)
	one.Owns = []slots.Range{slots.All}
	seven := slots.Range{First: 7, Last: 7}
	entries := []state.Entry{
		&state.Form{Founders: []state.Founder{one, two}},
		&state.BeginMigration{To: 2, Incarnation: 1, Spans: []state.Span{{Range: seven, Epoch: 1}}},
		&state.CancelMigration{Spans: []state.MoveSpan{{Range: seven, Move: 2}}},
		&state.BumpEpoch{Node: 1},
	}
	v, fresh := &View{Map: slots.NewMap()}, &View{Map: slots.NewMap()}
	for i, e := range entries {
		full := script(t, entries[:i+1]...)
		v = v.Next(full.State, one.ID, uint64(i+1), lease, int64(i))
		if settled := v.Settled(7, int64(i)); settled != (i < 2) || !v.Settled(8, int64(i)) || v.Self != 1 || v.Index != uint64(i+1) {
			t.Errorf("after entry %d (%T): settled %v", i+1, e, settled)
		}
		fresh = (&View{Map: slots.NewMap()}).Next(full.State, one.ID, uint64(i+1), lease, 100)
	}
	wait := lease.Wait()
	for at, want := range map[int64]bool{2: false, 1 + wait: false, 2 + wait: true} {
		if v.Settled(7, at) != want {
			t.Errorf("at %d: settled %v", at, !want)
		}
	}
	if fresh.Settled(7, 99+wait) || !fresh.Settled(7, 100+wait) {
		t.Error("a node that learns of a cut as it is started does not wait it out")
	}
	if v = v.Next(v.State, one.ID, 5, lease, 2+wait); len(v.cut) != 0 {
		t.Errorf("cuts that are over are kept: %v", v.cut)
	}
}

// Who was a member is known for a minute, also where a snapshot tells at once of one
// that left and of another that came.
func TestForgottenAcrossASnapshot(t *testing.T) {
	place := func(n byte) state.Founder {
		return state.Founder{ID: state.ID{n}, Incarnation: 1, Speaks: 1,
			Address: state.Address{Host: "10.0.0.1", Port: uint16(n), BusPort: 100 + uint16(n), ReplicationPort: 3}}
	}
	one, two, three := place(1), place(2), place(3)
	one.Owns, one.Suffrage = []slots.Range{slots.All}, state.Voter
	entries := []state.Entry{
		&state.Form{Founders: []state.Founder{one, two}},
		&state.Forget{Node: 2},
		&state.Join{ID: three.ID, Address: three.Address, Incarnation: 1, Speaks: 1},
	}
	before := (&View{Map: slots.NewMap()}).Next(script(t, entries[:1]...).State, one.ID, 1, slots.DefaultLease, 5)
	after := before.Next(script(t, entries...).State, one.ID, 3, slots.DefaultLease, 7)
	if len(after.State.Members()) != 2 || before.Forgotten(two.ID, 7) || after.Forgotten(one.ID, 7) || after.Forgotten(three.ID, 7) {
		t.Errorf("%d members, %v before, %v after", len(after.State.Members()), before.gone, after.gone)
	}
	for at, want := range map[int64]bool{7: true, 6 + remembrance: true, 7 + remembrance: false} {
		if after.Forgotten(two.ID, at) != want {
			t.Errorf("at %d: forgotten %v", at, !want)
		}
	}
}
