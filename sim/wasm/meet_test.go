package wasm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// shapes are who is told to MEET whom, all at the same moment.
var shapes = []struct {
	name  string
	nodes int
	meets [][2]int
}{
	{"pair", 2, [][2]int{{0, 1}, {1, 0}}},
	{"ring", 3, [][2]int{{0, 1}, {1, 2}, {2, 0}}},
	{"star", 3, [][2]int{{1, 0}, {2, 0}}},
	{"chain", 3, [][2]int{{0, 1}, {1, 2}}},
	{"all", 3, [][2]int{{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 2}, {2, 1}}},
}

// Nodes in no cluster that are told to meet one another come into one, however
// what they say crosses.
func TestMeetingsAtOnceMakeOneCluster(t *testing.T) {
	for seed := range uint64(len(shapes) * meetSeeds) {
		shape := shapes[seed%uint64(len(shapes))]
		t.Run(fmt.Sprintf("%s/seed=%d", shape.name, seed), func(t *testing.T) {
			c := newNodes(t, seed, shape.nodes, 1, sim.Mix{MinDelay: 1e5, MaxDelay: int64(1+seed/5%4) * 1e7})
			for _, n := range c.Nodes {
				n.Boot(module(t))
			}
			pass(t, c, 5e8)
			for i, got := range meet(t, c, shape.meets) {
				if got != "+OK" {
					t.Errorf("meeting %v: %q", shape.meets[i], got)
				}
			}
			oneCluster(t, c)
		})
	}
}

// meetSeeds is how many interleavings of each shape are tried.
const meetSeeds = 2

// meet has nodes told to meet others at once, and gives the replies.
func meet(t *testing.T, c *Cluster, meets [][2]int) []string {
	t.Helper()
	replies, peers := make([]string, len(meets)), make([]*sim.Peer, len(meets))
	for i, m := range meets {
		peers[i] = c.World.DialFrom(fmt.Sprintf("10.9.9.8:%d", 4000+i), c.Nodes[m[0]].Machine.Host()+":6379")
		defer peers[i].Close()
		peers[i].Send([]byte("CLUSTER MEET " + c.Nodes[m[1]].Machine.Host() + " 6379\r\n"))
	}
	err := c.Run(c.World.Now()+60e9, func() bool {
		done := true
		for i, p := range peers {
			replies[i] += string(p.Receive())
			done = done && (strings.HasSuffix(replies[i], "\r\n") || p.Err() != nil)
		}
		return done
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range replies {
		replies[i] = strings.TrimSuffix(replies[i], "\r\n")
	}
	return replies
}

// oneCluster waits until all nodes know of one another.
func oneCluster(t *testing.T, c *Cluster) {
	t.Helper()
	for _, n := range c.Nodes {
		insist(t, c, n, "CLUSTER INFO", fmt.Sprintf("cluster_known_nodes:%d\r\n", len(c.Nodes)))
	}
}

// A node that ends in the middle of a meeting comes back, and the meeting is held
// again: there is still one cluster.
func TestMeetingIsHeldAgainAfterACrash(t *testing.T) {
	for i := range 4 {
		calls := int64(60 + 180*i)
		t.Run(fmt.Sprintf("calls=%d", calls), func(t *testing.T) {
			c := newNodes(t, uint64(100+i), 2, 1, sim.Mix{MinDelay: 1e5, MaxDelay: 5e6})
			for _, n := range c.Nodes {
				n.Boot(module(t))
			}
			pass(t, c, 5e8)
			victim := c.Nodes[i%2]
			victim.CrashIn(calls)
			meet(t, c, [][2]int{{0, 1}, {1, 0}})
			victim.CrashIn(0)
			if !victim.Up() {
				victim.Boot(module(t))
			}
			for k := range 2 {
				insist(t, c, c.Nodes[k], "CLUSTER MEET "+c.Nodes[1-k].Machine.Host()+" 6379", "+OK")
			}
			oneCluster(t, c)
		})
	}
}
