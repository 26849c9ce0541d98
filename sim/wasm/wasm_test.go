package wasm

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/door"
)

// node gives the module, built once for all tests.
var node = sync.OnceValues(func() (*Module, error) {
	ctx := context.Background()
	text, err := Build(ctx, ".")
	if err != nil {
		return nil, err
	}
	r, err := NewRuntime(ctx, os.Getenv("IRONCACHE_WASM_CACHE"))
	if err != nil {
		return nil, err
	}
	return r.Compile(ctx, text)
})

func module(t *testing.T) *Module {
	t.Helper()
	if testing.Short() {
		t.Skip("compiling the node takes a while")
	}
	m, err := node()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// newCluster makes a cluster of nodes that do not know of one another.
func newCluster(t *testing.T, seed uint64, nodes, shards int, mix sim.Mix) *Cluster {
	c := NewCluster(seed, mix)
	t.Cleanup(c.Shut)
	c.Log = func(n *Node, at int64, text []byte) { t.Logf("%12d node %d: %s", at, n.id, text) }
	for range nodes {
		n := c.Add(door.Start{Shards: shards})
		n.Start.Config = map[string]string{"bind": n.Machine.Host(), "port": "6379", "protected-mode": "no"}
		n.Boot(module(t))
	}
	return c
}

// ask sends requests to a node and waits for what comes back.
func ask(t *testing.T, c *Cluster, n *Node, requests string, want string) {
	t.Helper()
	p := c.World.DialFrom("10.9.9.9:4000", n.Machine.Host()+":6379")
	defer p.Close()
	p.Send([]byte(requests))
	var got []byte
	err := c.Run(c.World.Now()+5e9, func() bool {
		got = append(got, p.Receive()...)
		return len(got) >= len(want) || p.Err() != nil
	})
	if err != nil || string(got) != want {
		t.Errorf("asked %q: got %q, want %q; %v, %v, exit %v", requests, got, want, err, p.Err(), n.Ended)
	}
}

func TestNodeAnswers(t *testing.T) {
	for _, shards := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("%d shards", shards), func(t *testing.T) {
			c := newCluster(t, 1, 1, shards, sim.Mix{MaxDelay: 1e6})
			ask(t, c, c.Nodes[0], "PING\r\nSET a 1\r\nSET b 2\r\nSET c 3\r\nMGET a b c\r\nDBSIZE\r\n",
				"+PONG\r\n+OK\r\n+OK\r\n+OK\r\n*3\r\n$1\r\n1\r\n$1\r\n2\r\n$1\r\n3\r\n:3\r\n")
		})
	}
}

// storm runs clients against a node through an unkind network, with crashes
// and pauses, and gives the trace.
func storm(t *testing.T, seed uint64) uint64 {
	c := newCluster(t, seed, 1, 2, sim.DrawMix(seed))
	c.Log = nil
	n := c.Nodes[0]
	for i := range 20 {
		p := c.World.DialFrom("10.9.9.9:4000", n.Machine.Host()+":6379")
		p.Send([]byte(strings.Repeat(fmt.Sprintf("INCR a\r\nSET k%d v\r\nMGET a b c\r\n", i), 50)))
		switch (uint64(i) + seed) % 5 {
		case 1:
			n.CrashIn(int64(100 + 37*i))
		case 2:
			n.Pause(5e8)
		}
		if err := c.Run(c.World.Now()+2e8, func() bool { return false }); err != nil {
			t.Fatal(err)
		}
		if !n.Up() {
			n.Boot(module(t))
		}
	}
	return c.World.Trace()
}

// The seed decides all, crashes in the middle of a call included.
func TestSeedDecidesAll(t *testing.T) {
	seen := map[uint64]uint64{}
	for seed := range uint64(4) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			first, second := storm(t, seed), storm(t, seed)
			if first != second {
				t.Errorf("two runs differ: %x and %x", first, second)
			}
			if other, ok := seen[first]; ok {
				t.Errorf("seeds %d and %d have one trace", seed, other)
			}
			seen[first] = seed
		})
	}
}
