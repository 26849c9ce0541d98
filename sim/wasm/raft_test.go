package wasm

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/slots"
)

// newRaftCluster makes a cluster of nodes with a control plane, which form it by
// themselves; each owns an equal share of the slots.
func newRaftCluster(t *testing.T, seed uint64, nodes, shards int, mix sim.Mix) *Cluster {
	c := newNodes(t, seed, nodes, shards, mix)
	topology := topologyOf(c)
	for _, n := range c.Nodes {
		n.Start.Cluster.Topology = topology
		n.Boot(module(t))
	}
	return c
}

// newNodes makes nodes with a control plane that are down and in no cluster.
func newNodes(t *testing.T, seed uint64, nodes, shards int, mix sim.Mix) *Cluster {
	c := NewCluster(seed, mix)
	t.Cleanup(c.Shut)
	for range nodes {
		n := c.Add(door.Start{Shards: shards})
		at := state.Address{Host: n.Machine.Host(), Port: 6379, BusPort: 16379, ReplicationPort: 26379}
		n.Start.Config = map[string]string{"bind": at.Host, "port": "6379", "protected-mode": "no"}
		n.Start.Cluster = &door.Cluster{Address: at, Secret: "s"}
	}
	return c
}

// topologyOf is the list of all nodes, each with an equal share of the slots.
func topologyOf(c *Cluster) (topology []raftlog.Place) {
	for i, n := range c.Nodes {
		topology = append(topology, raftlog.Place{Bus: n.Machine.Host() + ":16379", Owns: []slots.Range{share(i, len(c.Nodes))}})
	}
	return topology
}

// share is the i-th of so many equal shares of the slots.
func share(i, nodes int) slots.Range {
	return slots.Range{First: uint16(slots.First(i, nodes)), Last: uint16(slots.First(i+1, nodes) - 1)}
}

// say sends one request on a connection of its own, and gives the reply, empty
// if none came in time.
func say(t *testing.T, c *Cluster, n *Node, request string) string {
	t.Helper()
	p := c.World.DialFrom("10.9.9.9:4000", n.Machine.Host()+":6379")
	defer p.Close()
	p.Send([]byte(request + "\r\n"))
	var got []byte
	err := c.Run(c.World.Now()+1e9, func() bool {
		got = append(got, p.Receive()...)
		return whole(string(got)) || p.Err() != nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(got), "\r\n")
}

// whole tells whether a reply, which is one line or a bulk string, is all there.
func whole(reply string) bool {
	first, rest, ends := strings.Cut(reply, "\r\n")
	if size, err := strconv.Atoi(strings.TrimPrefix(first, "$")); err == nil && first[0] == '$' {
		return len(rest) == max(0, size+2)
	}
	return ends
}

// serves waits until every node answers for its slots.
func serves(t *testing.T, c *Cluster) {
	t.Helper()
	for range 60 {
		good := 0
		for i, n := range c.Nodes {
			if n.Up() && say(t, c, n, fmt.Sprintf("SET %s v", keyOf(i, len(c.Nodes)))) == "+OK" {
				good++
			}
		}
		if good == len(c.Nodes) {
			return
		}
		if err := c.Run(c.World.Now()+5e8, func() bool { return false }); err != nil {
			t.Fatal(err)
		}
	}
	for i, n := range c.Nodes {
		t.Errorf("at %d node %d (up: %v) says %q", c.World.Now(), i, n.Up(), say(t, c, n, "SET "+keyOf(i, len(c.Nodes))+" v"))
	}
	t.FailNow()
}

// keyOf is a key whose slot is of the i-th of so many equal shares.
func keyOf(i, nodes int) string {
	for k := 0; ; k++ {
		key := fmt.Sprintf("key:%d", k)
		if slots.Shard(slots.Of([]byte(key)), nodes) == i {
			return key
		}
	}
}

func TestClusterServes(t *testing.T) {
	c := newRaftCluster(t, 1, 3, 2, sim.Mix{MinDelay: 2e5, MaxDelay: 2e6})
	serves(t, c)
	for i := range 3 {
		key := keyOf(i, 3)
		want := fmt.Sprintf("-MOVED %d %s:6379", slots.Of([]byte(key)), c.Nodes[i].Machine.Host())
		for j, n := range c.Nodes {
			if got := say(t, c, n, "GET "+key); i != j && got != want || i == j && got != "$1\r\nv" {
				t.Errorf("node %d about a key of node %d: %q", j, i, got)
			}
		}
	}
	if got := say(t, c, c.Nodes[0], "MGET "+keyOf(0, 3)+" "+keyOf(1, 3)); got != "-CROSSSLOT Keys in request don't hash to the same slot" {
		t.Errorf("keys of two slots: %q", got)
	}
}

// A node that is cut off from the others stops to answer within a lease, and
// answers again when the cut has ended.
func TestCutOffNodeStops(t *testing.T) {
	c := newRaftCluster(t, 2, 3, 1, sim.Mix{MinDelay: 2e5, MaxDelay: 2e6})
	serves(t, c)
	host := c.Nodes[2].Machine.Host()
	mend := c.World.Cut(func(r sim.Route) bool { return r.Port == "16379" && (r.From == host || r.To == host) })
	if err := c.Run(c.World.Now()+slots.DefaultLease.Length, func() bool { return false }); err != nil {
		t.Fatal(err)
	}
	if got := say(t, c, c.Nodes[2], "GET "+keyOf(2, 3)); got != "-CLUSTERDOWN The cluster is down" {
		t.Errorf("the node that is cut off says %q", got)
	}
	if got := say(t, c, c.Nodes[0], "GET "+keyOf(0, 3)); got != "$1\r\nv" {
		t.Errorf("a node of the majority says %q", got)
	}
	mend()
	serves(t, c)
}

// trouble runs a cluster for half a minute of crashes, pauses, cuts and an
// unkind network, heals it, and gives the trace.
func trouble(t *testing.T, seed uint64) uint64 {
	mix := sim.DrawMix(seed)
	mix.SyncFails, mix.ReadFails, mix.WriteFails = 0, 0, 0
	c := newRaftCluster(t, seed, 3, 1, mix)
	r := rand.New(rand.NewPCG(seed, 1))
	var cuts []func() // to mend
	for range 30 {
		n := c.Nodes[r.IntN(3)]
		host := n.Machine.Host()
		switch r.IntN(6) {
		case 0:
			n.Crash()
		case 1:
			n.CrashIn(int64(1 + r.IntN(3000)))
		case 2:
			n.Pause(int64(r.IntN(4000)) * 1e6)
		case 3:
			cuts = append(cuts, c.World.Cut(func(r sim.Route) bool { return r.From == host && r.Port == "16379" }))
		case 4:
			for _, mend := range cuts {
				mend()
			}
			cuts = nil
		}
		say(t, c, c.Nodes[r.IntN(3)], "INCR "+keyOf(r.IntN(3), 3))
		if err := c.Run(c.World.Now()+7e8, func() bool { return false }); err != nil {
			t.Fatal(err)
		}
		for _, n := range c.Nodes {
			if !n.Up() && r.IntN(2) == 0 {
				n.Boot(module(t))
			}
		}
	}
	for _, mend := range cuts {
		mend()
	}
	for _, n := range c.Nodes {
		n.CrashIn(0)
		if !n.Up() {
			n.Boot(module(t))
		}
	}
	c.World.SetMix(sim.Mix{MaxDelay: 1e6})
	serves(t, c)
	return c.World.Trace()
}

// Whatever happens, the cluster serves again afterwards; and a seed decides all
// of it.
func TestTroubleHeals(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			if first, second := trouble(t, seed), trouble(t, seed); first != second {
				t.Errorf("two runs differ: %x and %x", first, second)
			}
		})
	}
}
