package raftlog

import (
	"testing"

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
			if again.Claim([]slots.Range{{First: 7, Last: 7}}) == nil || again.FormAlone() == nil {
				t.Error("it claims a slot, or forms a cluster")
			}
			if err := again.Meet(others[0].busAddress()); err != nil {
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
	gone.options.Topology = []Place{{Bus: gone.busAddress(), Owns: []slots.Range{slots.All}}}
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
	if err := again.Meet(family[1].busAddress()); err != nil || again.View().Self == slots.None {
		t.Errorf("MEET: %v", err)
	}
}
