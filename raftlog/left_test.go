package raftlog

import (
	"testing"
	"time"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// closeAndOpen starts a node anew.
func closeAndOpen(t *testing.T, p *Plane) *Plane {
	t.Helper()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return openFree(t, p.options)
}

// writeDown has a node write its state down, which it does not do while the group changes.
func writeDown(t *testing.T, p *Plane) {
	t.Helper()
	eventually(t, "there is a snapshot", func() bool { return p.raft.Snapshot().Error() == nil })
}

// A node that left starts from a snapshot of when it was a member, and knows all the same
// that it is none: it has written that down before it said so. It can be told to RESET, and
// claims nothing. MEET brings it back, which holds over a start too.
func TestLeftIsKept(t *testing.T) {
	for _, by := range []string{"itself", "another"} {
		t.Run(by, func(t *testing.T) {
			gone, others := leaderOf(t, newFamily(t, 3))
			n, asked := gone.View().Self, gone
			writeDown(t, gone)
			if by == "another" {
				asked = others[0]
			}
			forgets(t, asked, n, gone.id)
			if by == "another" {
				eventually(t, "it has heard of it, and written it down", func() bool { return gone.hasLeft() == n })
			}
			again := closeAndOpen(t, gone)
			v := again.View()
			if m := v.State.ByID(again.id); m == nil || m.Number != n {
				t.Fatalf("it does not start from when it was a member: %v", m)
			}
			if v.Self != slots.None || again.greeting(others[0].id).Member {
				t.Errorf("it takes itself for member %d", v.Self)
			}
			if err := again.Unbind(); err != nil {
				t.Errorf("RESET: %v", err)
			}
			if err := again.Claim([]slots.Range{{First: 7, Last: 7}}); err != errNotAMember || again.FormAlone() == nil {
				t.Errorf("it claims a slot, or forms a cluster: %v", err)
			}
			if err := again.Meet(others[0].options.Bus()); err != nil {
				t.Fatal(err)
			}
			if is := again.View().Self; is <= n || again.boundTo() != others[0].boundTo() {
				t.Errorf("after MEET it is member %d, of %x", is, again.boundTo())
			}
			for range 2 {
				eventually(t, "it holds a lease", func() bool { return again.View().Until != 0 })
				again = closeAndOpen(t, again)
			}
		})
	}
}

// A node that left and has no snapshot knows of no cluster, but that it left one: it is told
// to RESET without an error, and does not form the cluster of its topology again.
func TestLeftWithoutASnapshot(t *testing.T) {
	family := newFamily(t, 2)
	gone := family[0] // which has formed the cluster
	forgets(t, gone, gone.View().Self, gone.id)
	gone.options.Topology = []Place{{Bus: gone.options.Bus(), Owns: []slots.Range{slots.All}}}
	again := closeAndOpen(t, gone)
	if again.View().State.Formed() {
		t.Fatal("it has a snapshot")
	}
	if err := again.Unbind(); err != nil || again.boundTo() != family[1].boundTo() {
		t.Errorf("RESET: %v; bound to %x", err, again.boundTo())
	}
	if err := again.Claim([]slots.Range{{First: 7, Last: 7}}); err != errNotAMember {
		t.Errorf("it claims a slot: %v", err)
	}
	if err := again.found(); err != errPromised || again.suit.founding {
		t.Errorf("it forms a cluster: %v", err)
	}
	if why := again.promise(plea{Cluster: state.ID{9}, Formed: true}); why == "" {
		t.Error("it agrees to come into another cluster")
	}
	if err := again.Meet(family[1].options.Bus()); err != nil || again.View().Self == slots.None {
		t.Errorf("MEET: %v", err)
	}
}

// A node that was forgotten while it was down starts from when it was a member, and is sent
// nothing. It asks a member, and knows then, also when it is started again.
func TestForgottenWhileDown(t *testing.T) {
	leader, others := leaderOf(t, newFamily(t, 3))
	gone, other := others[0], others[1]
	n := gone.View().Self
	writeDown(t, gone)
	if err := gone.Close(); err != nil {
		t.Fatal(err)
	}
	forgets(t, other, n, gone.id)
	if err := leader.Close(); err != nil { // which may go on to send it entries for a while
		t.Fatal(err)
	}
	gone.options.Lease = slots.Lease{Length: int64(1500 * time.Millisecond), Drift: 1000, Margin: int64(50 * time.Millisecond)} // it asks soon
	again := openFree(t, gone.options)
	if m := again.View().State.ByID(again.id); m == nil || m.Number != n {
		t.Fatalf("it does not start from when it was a member: %v", m)
	}
	eventually(t, "it knows that it is no member", func() bool { return again.View().Self == slots.None && again.hasLeft() == n })
	again = closeAndOpen(t, again)
	if again.View().Self != slots.None || again.hasLeft() != n {
		t.Errorf("started again it takes itself for member %d", again.View().Self)
	}
	leaderOf(t, []*Plane{other, openFree(t, leader.options)})
	if err := again.Meet(other.options.Bus()); err != nil || again.View().Self <= n {
		t.Errorf("MEET: %v; member %d", err, again.View().Self)
	}
}

// Who says that a node has left must have seen that, in the same cluster: one that has not
// seen the node's number given, since it is behind, does not say so.
func TestLeftIsToldByWhoKnows(t *testing.T) {
	leader, others := leaderOf(t, newFamily(t, 2))
	node, elsewhere := others[0], openFree(t, freeOptions(t))
	if err := elsewhere.FormAlone(); err != nil {
		t.Fatal(err)
	}
	v, asked := node.View(), leader.View().Member()
	n := v.Self
	tells := func(v *View, as slots.Node) bool {
		by := *v
		by.Self = as
		return node.isLeft(&by, asked)
	}
	if tells(v, n) || tells(v, n+1) || tells(v, slots.None) {
		t.Errorf("of a member: %v, of a number that was not given: %v, of none: %v", tells(v, n), tells(v, n+1), tells(v, slots.None))
	}
	forgets(t, leader, n, node.id)
	if !tells(v, n) || tells(elsewhere.View(), n) {
		t.Errorf("of one that was forgotten: %v, of a node of another cluster: %v", tells(v, n), tells(elsewhere.View(), n))
	}
}
