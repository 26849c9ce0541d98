package wasm

import (
	"fmt"
	"slices"
	"testing"

	"github.com/elares/ironcache/sim"
)

// A node whose disk is full serves nothing when its lease is over, and all see that:
// it tells why itself. It outlives that somebody else comes to lead, and serves what it
// had when there is room again.
func TestFullDiskIsSeenAndOutlived(t *testing.T) {
	for _, at := range []int{0, 2} { // the first has formed the cluster, and leads at the beginning
		t.Run(fmt.Sprint("node=", at), func(t *testing.T) { fills(t, at) })
	}
}

func fills(t *testing.T, at int) {
	c := newHastyCluster(t, 8, 0)
	serves(t, c)
	full, others := c.Nodes[at], slices.Delete(slices.Clone(c.Nodes), at, at+1)
	for _, n := range c.Nodes {
		insist(t, c, n, "INFO cluster", "cluster_voters:3\r\n")
	}
	key := keyOf(at, 3)
	full.Machine.Disk.Fault = func(act sim.Act, _ string) error {
		if act == sim.Writing {
			return sim.ErrFull
		}
		return nil
	}
	insist(t, c, full, "GET "+key, "-CLUSTERDOWN ")
	insist(t, c, full, "INFO cluster", "cluster_last_write_status:err\r\n")
	for _, n := range others {
		insist(t, c, n, "CLUSTER INFO", "cluster_state:fail\r\n")
		insist(t, c, n, "CLUSTER NODES", ":6379@16379 master,fail ")
		insist(t, c, n, "INFO cluster", "cluster_last_write_status:ok\r\n")
	}
	for _, n := range others { // one of them leads
		n.Crash()
		pass(t, c, 2e9)
		n.Boot(module(t))
		pass(t, c, 4e9)
	}
	if !full.Up() {
		t.Fatalf("the node with the full disk ended: %v", full.Ended)
	}
	full.Machine.Disk.Fault = nil
	insist(t, c, full, "GET "+key, "$1\r\nv")
	insist(t, c, full, "INFO cluster", "cluster_last_write_status:ok\r\n")
	for _, n := range c.Nodes {
		insist(t, c, n, "CLUSTER INFO", "cluster_state:ok\r\n")
	}
}
