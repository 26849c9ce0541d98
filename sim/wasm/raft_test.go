package wasm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/slots"
)

// newRaftCluster makes a cluster of nodes with a control plane.
func newRaftCluster(t *testing.T, seed uint64, nodes int, mix sim.Mix) *Cluster {
	c := NewCluster(seed, mix)
	t.Cleanup(c.Shut)
	var topology []raftlog.Place
	for i := range nodes {
		n := c.Add(door.Start{Shards: 1})
		at := state.Address{Host: n.Machine.Host(), Port: 6379, BusPort: 16379, ReplicationPort: 26379}
		n.Start.Config = map[string]string{"bind": at.Host, "port": "6379", "protected-mode": "no"}
		n.Start.Cluster = &door.Cluster{Address: at, Secret: "s"}
		topology = append(topology, raftlog.Place{Bus: at.Host + ":16379", Owns: []slots.Range{{
			First: uint16(slots.First(i, nodes)), Last: uint16(slots.First(i+1, nodes) - 1),
		}}})
	}
	for _, n := range c.Nodes {
		n.Start.Cluster.Topology = topology
		n.Boot(module(t))
	}
	return c
}

func TestRaftForms(t *testing.T) {
	c := newRaftCluster(t, 1, 3, sim.Mix{MinDelay: 2e5, MaxDelay: 2e6})
	lines := 0
	c.Log = func(n *Node, at int64, text []byte) {
		lines++
		if lines < 300 || strings.Contains(string(text), "panic") {
			t.Logf("%12d node %d: %s", at, n.id, text)
		}
	}
	if err := c.Run(10e9, func() bool { return false }); err != nil {
		t.Fatal(err)
	}
	fmt.Println(lines)
}
