package wasm

import (
	"errors"

	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/door"
)

// Cluster is nodes in one world.
type Cluster struct {
	World *sim.World
	Nodes []*Node
	// Log, if set, is told what nodes write, with the true time.
	Log func(n *Node, at int64, text []byte)
	// Fence, if set, is told when a node has read its clock to decide whether
	// replies of some slots may leave.
	Fence func(n *Node, f Fencing)
	// Applied, if set, is told of each entry of the log that a node has applied.
	Applied func(n *Node, a Applying)
	// Standing, if set, is told of each change of how a node stands in the cluster.
	// That is no part of the trace.
	Standing func(n *Node, s Standing)
	// Led, if set, is told of each term that a node came to lead.
	Led func(n *Node, l Leading)
	// Mark, if set, is told of each mark that a node reached (invariant.Reached).
	Mark func(n *Node, mark string)
	// Pulse, if set, says which node is in a step.
	Pulse *Pulse
}

// Fencing is one decision whether replies may leave.
type Fencing struct {
	At       int64    // true time
	Slots    []uint16 // that the replies are about
	Epochs   []uint64 // of these slots, as the node knows them; of one that it imports see door.Importing
	Ends     int64    // true time at which the node's lease ends, if its clock goes on as it does
	Released bool
}

// Applying is one entry of the log as a node applied it.
type Applying struct {
	At           int64 // true time
	Index, Term  uint64
	Entry, State uint64 // hashes of the entry and of the state after it; State is 0 at most places
	Text         []byte // the entry
}

// Leading is a node that came to lead, with the log that it had then.
type Leading struct {
	At      int64 // true time
	Term    uint64
	Covered uint64 // up to this index snapshots stand for the log
	Log     []Held // ascending, without gaps
}

// Held is an entry of a log.
type Held struct {
	Index, Term uint64
	Entry       uint64 // hash
}

// Standing is how a node stands in its cluster, from a true time on.
type Standing struct {
	At    int64
	Role  Role
	Term  uint64
	Voted uint64 // the last term in which it gave its vote
	Kept  uint64 // index of the last entry that its disk had when its life began
	Epoch uint64 // the highest of a slot's, as the node knows
	Ends  int64  // true time at which its lease ends, if its clock goes on as it does; 0: it has none
}

// Role is what a node is in Raft.
type Role uint8

// Roles, with the numbers that hashicorp/raft gives them.
const (
	Follower Role = iota
	Candidate
	Leader
	Shutdown
)

// String is a role as one reads it.
func (r Role) String() string {
	if int(r) < len(roles) {
		return roles[r]
	}
	return "unknown"
}

var roles = [...]string{Follower: "follower", Candidate: "candidate", Leader: "leader", Shutdown: "shut down"}

// NewCluster makes a cluster without nodes.
func NewCluster(seed uint64, mix sim.Mix) *Cluster { return &Cluster{World: sim.New(seed, mix)} }

// Add adds a node on a machine of its own. It is down.
func (c *Cluster) Add(start door.Start) *Node {
	n := &Node{Machine: c.World.Machine(), Start: start, cluster: c, id: len(c.Nodes)}
	c.Nodes = append(c.Nodes, n)
	return n
}

// What ends a Run before its time.
var (
	// ErrIdle says that nothing will ever happen again.
	ErrIdle = errors.New("wasm: nothing is left to happen")
	// ErrTurns says that time does not pass: a node wakes up again and again.
	ErrTurns = errors.New("wasm: no end in sight")
)

// mostTurns bounds how often nodes go on without time passing.
const mostTurns = 1_000_000

// Run lets things happen until done, which is asked whenever nodes have run, or
// until a time, in nanoseconds since the world began.
func (c *Cluster) Run(until int64, done func() bool) error {
	w := c.World
	w.At(until, func() {})
	for turns := 0; ; turns++ {
		w.Settle()
		if w.Now() >= until || done() {
			return nil
		}
		before := w.Now()
		switch any, err := c.round(); {
		case err != nil:
			return err
		case !any && !w.Skip():
			return ErrIdle
		}
		if w.Now() != before {
			turns = 0
		}
		if turns > mostTurns {
			return ErrTurns
		}
	}
}

// round lets each node go on that can, and tells whether there was one. It fails
// with ErrStuck when one had to be ended in the middle of its step.
func (c *Cluster) round() (any bool, err error) {
	for _, n := range c.Nodes {
		if n.life != nil && n.life.ready() {
			n.life.run()
			any = true
		}
		if errors.Is(n.Ended, ErrStuck) {
			return any, n.Ended
		}
	}
	return any, nil
}

// Shut drops all nodes.
func (c *Cluster) Shut() {
	for _, n := range c.Nodes {
		n.Crash()
	}
}
