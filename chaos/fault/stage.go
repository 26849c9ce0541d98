package fault

import (
	"slices"

	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/sim/wasm"
)

// Stage is the cluster that faults act on.
type Stage struct {
	Cluster *wasm.Cluster
	Nodes   []Standing
	// Spares is how many nodes, the last ones, are in no cluster by themselves.
	Spares int

	// Failed tells why the run cannot go on as it was planned.
	Failed error

	module   *wasm.Module // of the node
	guest    bool         // a spare is in the cluster, or on its way
	scripted int          // connections of scripts so far

	Moves
}

// Standing is what faults have done to a node.
type Standing struct {
	// Down is how long, in nanoseconds, the node stays down when it ends next.
	Down int64
	// Shaken tells that its disk failed it: it may end by itself.
	Shaken bool
	// Unsure is when a sync of its log or its votes failed, in nanoseconds, since which the node
	// must not go on; 0: none did in this life.
	Unsure int64
	// Spoiled tells that its disk has lost what it must not lose: it may refuse
	// to run, and its slots need not be served again.
	Spoiled bool
	// Emptied tells that its disk was taken from it.
	Emptied bool
	// Doomed tells that it does not come back once it ends.
	Doomed bool
	// Refused counts the lives that ended since the program was older than what
	// the cluster had decided.
	Refused int

	trial, upgraded bool // it runs the later version: for a while, or for good
	hooks           []*hook
}

// hook is asked before each act of a node's disk.
type hook struct {
	call func(act sim.Act, path string) error
}

// NewStage makes the stage of a cluster whose nodes are all there, and run a module.
func NewStage(c *wasm.Cluster, m *wasm.Module) *Stage {
	s := &Stage{Cluster: c, module: m, Nodes: make([]Standing, len(c.Nodes))}
	s.Fixed, s.Moved, s.busy, s.tainted = map[uint16]bool{}, map[uint16]bool{}, map[uint16]bool{}, map[string]bool{}
	for i := range s.Nodes {
		s.Nodes[i].Down = Restart
		s.watchDisk(i)
	}
	return s
}

// Restart is after how long, in nanoseconds, a node that ended is started anew
// when no fault says otherwise.
const Restart = 700_000_000

// watchDisk has every hook asked by the disk of a node.
func (s *Stage) watchDisk(node int) {
	s.disk(node).Fault = func(act sim.Act, path string) error {
		for _, h := range s.Nodes[node].hooks {
			if err := h.call(act, path); err != nil {
				return err
			}
		}
		return nil
	}
}

// hook adds one to a node's disk, and gives what takes it away again.
func (s *Stage) hook(node int, call func(act sim.Act, path string) error) (end func()) {
	h := &hook{call}
	s.Nodes[node].hooks = append(s.Nodes[node].hooks, h)
	return func() {
		n := &s.Nodes[node]
		n.hooks = slices.DeleteFunc(n.hooks, func(o *hook) bool { return o == h })
	}
}

// dice are those of one event: what it draws depends on no other event.
func (s *Stage) dice(e Event) Dice {
	seed := s.Cluster.World.Seed() ^ 0xfa17
	for _, word := range []uint64{uint64(e.At), uint64(e.Node), uint64(e.Amount)} {
		seed = (seed ^ word) * 0x9e3779b97f4a7c15
	}
	for i := range len(e.Fault) {
		seed = (seed ^ uint64(e.Fault[i])) * 0x100000001b3
	}
	return Dice{sim.NewRand(seed)}
}

func (s *Stage) node(e Event) *wasm.Node { return s.Cluster.Nodes[e.Node] }

func (s *Stage) disk(node int) *sim.Disk { return s.Cluster.Nodes[node].Machine.Disk }

func (s *Stage) host(node int) string { return s.Cluster.Nodes[node].Machine.Host() }

// Dice draws numbers.
type Dice struct{ env.Rand }

// Between draws a number from least to most, both included.
func (d Dice) Between(least, most int64) int64 {
	return least + int64(d.Uint64()%uint64(most-least+1))
}

// Below draws a number from 0 to one below n, n > 0.
func (d Dice) Below(n int) int { return int(d.Uint64() % uint64(n)) }

// Chance draws whether something of so many percent happens.
func (d Dice) Chance(percent int) bool { return d.Below(100) < percent }
