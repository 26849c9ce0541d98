package wasm

import (
	"fmt"
	"testing"

	"github.com/elares/ironcache/sim"
)

// strangers are connections to the buses of all nodes that say nothing.
type strangers struct {
	c     *Cluster
	count int
	open  []*sim.Peer
}

// come opens more, of one source each to all nodes.
func (s *strangers) come(source string, each int) {
	for _, n := range s.c.Nodes {
		for range each {
			s.count++
			s.open = append(s.open, s.c.World.DialFrom(fmt.Sprintf("%s:%d", source, 1024+s.count), n.Machine.Host()+":16379"))
		}
	}
}

// However many connections to the nodes' buses say nothing, nobody who asks for a key
// hears of it: leases are renewed.
func TestSilentConnectionsStopNobody(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			c := newRaftCluster(t, 20+seed, 3, 1, sim.Mix{MinDelay: 2e5, MaxDelay: 5e6})
			serves(t, c)
			s := &strangers{c: c}
			for round := range 20 { // a quarter of a second each: more than a lease
				s.come(fmt.Sprintf("10.9.8.%d", 1+round%2), 100)
				for i, n := range c.Nodes {
					if got := say(t, c, n, fmt.Sprintf("SET %s v", keyOf(i, 3))); got != "+OK" {
						t.Fatalf("round %d, node %d: %q", round, i, got)
					}
				}
				pass(t, c, 25e7)
			}
			for _, p := range s.open {
				p.Close()
			}
		})
	}
}
