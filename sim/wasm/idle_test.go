package wasm

import (
	"testing"

	"github.com/elares/ironcache/sim"
)

// A cluster that nobody asks for anything rests most of the time: what its nodes do
// is to tell one another that they are there, to renew leases and to look around.
func TestIdleCluster(t *testing.T) {
	c := newRaftCluster(t, 3, 3, 1, sim.Mix{MinDelay: 2e5, MaxDelay: 2e6})
	serves(t, c)
	const seconds, most = 10, 200
	before := make([]uint64, len(c.Nodes))
	for i, n := range c.Nodes {
		before[i] = n.Steps
	}
	if err := c.Run(c.World.Now()+seconds*1e9, func() bool { return false }); err != nil {
		t.Fatal(err)
	}
	sum := uint64(0)
	for i, n := range c.Nodes {
		sum += n.Steps - before[i]
	}
	if sum > most*seconds {
		t.Errorf("nodes went on %d times a second, and %d at most is expected", sum/seconds, most)
	}
}

// Every node knows what was decided as soon as the leader does, though nothing more
// is decided for a while.
func TestDecisionsSpread(t *testing.T) {
	c := newRaftCluster(t, 4, 3, 1, sim.Mix{MinDelay: 2e5, MaxDelay: 2e6})
	serves(t, c)
	began, first, last := c.World.Now(), map[uint64]int64{}, map[uint64]int64{}
	c.Applied = func(_ *Node, a Applying) {
		if _, known := first[a.Index]; !known {
			first[a.Index] = a.At
		}
		last[a.Index] = a.At
	}
	if err := c.Run(began+5e9, func() bool { return false }); err != nil {
		t.Fatal(err)
	}
	if len(first) < 4 {
		t.Errorf("%d entries were applied", len(first))
	}
	for index, at := range first {
		if late := last[index] - at; late > 2e7 {
			t.Errorf("entry %d was applied by the last node %d ns after the first", index, late)
		}
	}
}
