package netio

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// ownersTown is the first of two nodes of a static cluster whose shards have ports:
// its own are above 6379, the other's 7001 and 7002.
func ownersTown(t *testing.T, shards int) *town {
	t.Helper()
	place := func(n int, port uint16, shards int, owns ...slots.Range) state.Founder {
		a := state.Address{Host: fmt.Sprintf("10.0.0.%d", n), Port: port, BusPort: port + 10000, ReplicationPort: port + 20000}
		for i := range shards {
			a.ShardPorts = append(a.ShardPorts, port+1+uint16(i))
		}
		return state.Founder{Owns: owns, Address: a}
	}
	return newStaticTown(t, shards, []state.Founder{
		place(1, 6379, shards, slots.Range{First: 0, Last: 9999}, slots.Range{First: 12000, Last: 16383}),
		place(2, 7000, 2, slots.Range{First: 10000, Last: 11999}),
	}, "shard-owners=yes")
}

// shown is the id with which a shard of a node is shown.
func shown(bus string, shard int) string { return shardID(raftlog.StaticID(bus), shard).String() }

// callShard connects to the port of a shard.
func callShard(t *town, shard int) *caller {
	return &caller{Peer: t.world.Dial(fmt.Sprintf("127.0.0.1:%d", 6380+shard)), town: t}
}

// With shard-owners each shard is shown as a node, the one that is asked as myself,
// and clients are sent to the shard of another node that has their slot.
func TestShardsAreShownAsNodes(t *testing.T) {
	town, one, two := ownersTown(t, 2), "10.0.0.1:16379", "10.0.0.2:17000"
	for asked := range 2 {
		c := callShard(town, asked)
		nodes := ""
		for i, rest := range []string{
			"10.0.0.1:6380@16379 %smaster - 0 0 1 connected 0-8191\n", "10.0.0.1:6381@16379 %smaster - 0 0 1 connected 8192-9999 12000-16383\n",
			"10.0.0.2:7001@17000 %smaster - 0 0 1 connected\n", "10.0.0.2:7002@17000 %smaster - 0 0 1 connected 10000-11999\n",
		} {
			myself := ""
			if i == asked {
				myself = "myself,"
			}
			nodes += shown([]string{one, two}[i/2], i%2) + " " + fmt.Sprintf(rest, myself)
		}
		entry := func(first, last, n, port int, id string) string {
			return fmt.Sprintf("*3\r\n:%d\r\n:%d\r\n*4\r\n$8\r\n10.0.0.%d\r\n:%d\r\n%s*0\r\n", first, last, n, port, bulk(id))
		}
		c.check(
			[2]string{"cluster nodes", bulk(nodes)},
			[2]string{"cluster myid", bulk(shown(one, asked))},
			[2]string{"cluster slots", "*4\r\n" + entry(0, 8191, 1, 6380, shown(one, 0)) + entry(8192, 9999, 1, 6381, shown(one, 1)) +
				entry(10000, 11999, 2, 7002, shown(two, 1)) + entry(12000, 16383, 1, 6381, shown(one, 1))},
			[2]string{"get k10", "-MOVED 11117 10.0.0.2:7002\r\n"},
			[2]string{"set k2 1", "+OK\r\n"}, // whichever shard is asked
			[2]string{"set k1 2", "+OK\r\n"},
			[2]string{"cluster count-failure-reports " + shown(two, 1), ":0\r\n"},
			[2]string{"cluster count-failure-reports " + shown(two, 2), "-ERR Unknown node " + shown(two, 2) + "\r\n"},
		)
		if got := c.line("cluster info"); !strings.Contains(got, "cluster_known_nodes:2\r\ncluster_size:2\r\n") {
			t.Errorf("cluster info: %q", got)
		}
		if got := c.line("cluster shards"); !strings.HasPrefix(got, "*4\r\n") || !strings.Contains(got, "*4\r\n:8192\r\n:9999\r\n:12000\r\n:16383\r\n$5\r\nnodes\r\n*1\r\n") ||
			!strings.Contains(got, bulk(shown(one, 1))+"$4\r\nport\r\n:6381\r\n") {
			t.Errorf("cluster shards: %q", got)
		}
	}
}

// Who comes to the port of a shard is served by its loop and stays there, however
// many there are; who comes to the node's port goes where there are few.
func TestClientsOfAShardStay(t *testing.T) {
	town := ownersTown(t, 3)
	var own []*caller
	for range 20 {
		c := callShard(town, 1)
		c.do("client", "setname", c.label())
		own = append(own, c)
	}
	any := town.dial()
	any.do("client", "setname", any.label())
	if err := town.world.RunFor(5*int64(time.Second), town.actors...); err != nil { // loops look for idle clients to hand over
		t.Fatal(err)
	}
	for _, c := range own {
		if c.conn().loop.id != 1 {
			t.Errorf("a client of shard 1 is at %d", c.conn().loop.id)
		}
	}
	if any.conn().loop.id == 1 {
		t.Error("a client of the node is where all the others are")
	}
	if n := town.node.loops[0].clients.Load() + town.node.loops[2].clients.Load(); n != 1 {
		t.Errorf("%d clients at the other shards", n)
	}
}
