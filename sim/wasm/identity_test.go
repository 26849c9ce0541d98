package wasm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/slots"
)

// newHastyCluster makes a cluster of three nodes with short leases, which take a
// snapshot after so many entries of the log.
func newHastyCluster(t *testing.T, seed, every uint64) *Cluster {
	t.Helper()
	c := newNodes(t, seed, 3, 1, sim.Mix{MinDelay: 2e5, MaxDelay: 2e6})
	topology := topologyOf(c)
	for _, n := range c.Nodes {
		n.Start.Cluster.Topology, n.Start.Cluster.SnapshotEvery = topology, every
		n.Start.Cluster.Lease = slots.Lease{Length: 800e6, Drift: 1000, Margin: 50e6}
		n.Boot(module(t))
	}
	return c
}

// pass lets a cluster run for a span of nanoseconds.
func pass(t *testing.T, c *Cluster, span int64) {
	t.Helper()
	if err := c.Run(c.World.Now()+span, func() bool { return false }); err != nil {
		t.Fatal(err)
	}
}

// insist sends a request until a node says what is wanted.
func insist(t *testing.T, c *Cluster, n *Node, request, want string) {
	t.Helper()
	got := ""
	for range 60 {
		if got = say(t, c, n, request); strings.Contains(got, want) {
			return
		}
		pass(t, c, 5e8)
	}
	t.Fatalf("at %d node %d about %s: %q never has %q", c.World.Now(), n.ID(), request, got, want)
}

// A node that lost its disk comes back under its address as another node: it does
// not vote in the stead of the one that it was, sends nobody to itself, and has its
// place again when that one was forgotten and it was met.
func TestNodeWithoutItsDiskIsAnother(t *testing.T) {
	c := newHastyCluster(t, 5, 0)
	serves(t, c)
	one, two, lost := c.Nodes[0], c.Nodes[1], c.Nodes[2]
	for _, n := range c.Nodes {
		insist(t, c, n, "INFO cluster", "cluster_voters:3\r\n")
	}
	id := strings.Split(say(t, c, lost, "CLUSTER MYID"), "\r\n")[1]
	lost.Crash()
	lost.Machine.LoseDisk()
	lost.Boot(module(t))
	two.Crash()
	pass(t, c, 4e9) // for many elections
	for i, n := range []*Node{one, lost} {
		if got := say(t, c, n, "GET "+keyOf(2*i, 3)); !strings.HasPrefix(got, "-CLUSTERDOWN ") {
			t.Errorf("one of three voters and a stranger, node %d: %q", n.ID(), got)
		}
	}
	two.Boot(module(t))
	insist(t, c, one, "SET "+keyOf(0, 3)+" v", "+OK")
	insist(t, c, two, "SET "+keyOf(1, 3)+" v", "+OK")
	if got := say(t, c, lost, "SET "+keyOf(2, 3)+" v"); got != "-CLUSTERDOWN Hash slot not served" {
		t.Errorf("the stranger says %q", got)
	}
	gone := fmt.Sprintf("%d %d", share(2, 3).First, share(2, 3).Last)
	insist(t, c, one, "CLUSTER DELSLOTSRANGE "+gone, "+OK")
	insist(t, c, one, "CLUSTER FORGET "+id, "+OK")
	insist(t, c, lost, "CLUSTER MEET "+one.Machine.Host()+" 6379", "+OK")
	insist(t, c, lost, "CLUSTER ADDSLOTSRANGE "+gone, "+OK")
	serves(t, c)
	for _, n := range c.Nodes {
		insist(t, c, n, "INFO cluster", "cluster_voters:3\r\n")
	}
}

// A member that was forgotten, and knows it, sends nobody anywhere, and comes back
// by MEET.
func TestForgottenNodeAnswersNobody(t *testing.T) {
	c := newNodes(t, 6, 2, 1, sim.Mix{MinDelay: 2e5, MaxDelay: 2e6})
	for _, n := range c.Nodes {
		n.Boot(module(t))
	}
	one, gone := c.Nodes[0], c.Nodes[1]
	insist(t, c, one, "CLUSTER ADDSLOTSRANGE 0 16383", "+OK")
	insist(t, c, gone, "CLUSTER MEET "+one.Machine.Host()+" 6379", "+OK")
	moved := fmt.Sprintf("-MOVED 3300 %s:6379", one.Machine.Host())
	insist(t, c, gone, "GET b", moved)
	id := strings.Split(say(t, c, gone, "CLUSTER MYID"), "\r\n")[1]
	insist(t, c, one, "CLUSTER FORGET "+id, "+OK")
	insist(t, c, gone, "GET b", "-CLUSTERDOWN This node is no member of its cluster any more: CLUSTER MEET brings it back")
	insist(t, c, gone, "CLUSTER MEET "+one.Machine.Host()+" 6379", "+OK")
	insist(t, c, gone, "GET b", moved)
}
