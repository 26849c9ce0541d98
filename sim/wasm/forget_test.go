package wasm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/slots"
)

// newQuartet makes a cluster of four nodes with a vote and short leases, the last of
// which owns no slots.
func newQuartet(t *testing.T, seed uint64) *Cluster {
	t.Helper()
	c := newNodes(t, seed, 4, 1, sim.Mix{MinDelay: 2e5, MaxDelay: 2e6})
	topology := topologyOf(c)
	for i := range topology {
		if topology[i].Owns = nil; i < 3 {
			topology[i].Owns = []slots.Range{share(i, 3)}
		}
	}
	for _, n := range c.Nodes {
		n.Start.Cluster.Topology = append([]raftlog.Place(nil), topology...)
		n.Start.Cluster.Lease = slots.Lease{Length: 800e6, Drift: 1000, Margin: 50e6}
		n.Boot(module(t))
	}
	for _, n := range c.Nodes {
		insist(t, c, n, "INFO cluster", "cluster_voters:4\r\n")
	}
	return c
}

// When CLUSTER FORGET has answered, the vote of the one that was forgotten counts no
// more: of four voters a dead one is forgotten and another one is lost at once, and
// the two that are left decide.
func TestForgottenVoterCountsNoMore(t *testing.T) {
	for asked := range 3 {
		t.Run(fmt.Sprint("asked=", asked), func(t *testing.T) {
			c := newQuartet(t, uint64(40+asked))
			one, lost, dead := c.Nodes[asked], c.Nodes[(asked+1)%3], c.Nodes[3]
			id := strings.Split(say(t, c, dead, "CLUSTER MYID"), "\r\n")[1]
			dead.Crash()
			insist(t, c, one, "CLUSTER FORGET "+id, "+OK")
			lost.Crash()
			pass(t, c, 3e9) // leases from before are over
			insist(t, c, one, "SET "+keyOf(asked, 3)+" v", "+OK")
			if got := say(t, c, one, "CLUSTER FORGET "+id); got != "+OK" {
				t.Errorf("forgotten again: %q", got)
			}
		})
	}
}

// The same for one that left by CLUSTER RESET and was stopped then.
func TestVoterThatLeftCountsNoMore(t *testing.T) {
	c := newQuartet(t, 50)
	insist(t, c, c.Nodes[3], "CLUSTER RESET", "+OK")
	c.Nodes[3].Crash()
	c.Nodes[0].Crash()
	pass(t, c, 3e9)
	insist(t, c, c.Nodes[1], "SET "+keyOf(1, 3)+" v", "+OK")
}
