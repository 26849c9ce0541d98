package workload

import (
	"cmp"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim"
)

// Crowd is all clients of a cluster.
type Crowd struct {
	History linearize.History
	Clients []*Client
	// Odd lists replies that no client should get.
	Odd []string
	// Asked counts operations that were asked for, Given the jobs that were given
	// up: for too long nobody answered for a key.
	Asked, Given int
	// Moved counts how often a client followed MOVED, Sent how often ASK.
	Moved, Sent int

	world    *sim.World
	nodes    []string // addresses
	alone    bool
	rush     bool
	workload *Workload
	keys     []*key
}

// Options say who the clients are.
type Options struct {
	World    *sim.World
	Nodes    []string // their addresses
	Alone    bool     // there is one node, which is in no cluster
	Clients  int
	Workload *Workload
	Start    int64 // when they begin, in nanoseconds
	Rush     bool  // they ask at the same moments
	Keys     int   // in use at a time, at most MostKeys; 0: as many as the workload says
}

// MostKeys bounds how many keys are in use at a time.
const MostKeys = 16

// NewCrowd makes clients, which connect when they have something to ask.
func NewCrowd(o Options) *Crowd {
	c := &Crowd{world: o.World, nodes: o.Nodes, alone: o.Alone, rush: o.Rush, workload: o.Workload}
	for i := range cmp.Or(o.Keys, o.Workload.Keys) {
		c.keys = append(c.keys, &key{place: i, most: o.Workload.most})
	}
	for i := range o.Clients {
		dice := fault.Dice{Rand: sim.NewRand(o.World.Seed() ^ uint64(i+1)<<40)}
		client := &Client{crowd: c, id: i + 1, dice: dice, lines: make([]*sim.Peer, len(o.Nodes)), owner: map[uint16]int{}}
		client.rest(o.Start + dice.Between(0, 200)*million)
		c.Clients = append(c.Clients, client)
	}
	return c
}

const million = 1_000_000 // nanoseconds of a millisecond

// Step lets every client do what it can now.
func (c *Crowd) Step() {
	for _, client := range c.Clients {
		client.step(c.world.Now())
	}
}

// Leave ends the work of all clients: what is under way has an outcome that nobody
// knows. Others may have seen its effect.
func (c *Crowd) Leave() {
	for _, client := range c.Clients {
		if client.waiting {
			client.lost(c.world.Now())
		}
	}
}
