package wasm

import (
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// ledger is what nodes have applied of the log.
type ledger struct {
	t      *testing.T
	states map[uint64]Applying // of the node that came first
	last   map[*Node]uint64
	jumps  map[*Node]int // over entries that a node never applied
	agreed map[*Node]int // states that were as that of another, after a jump
}

func newLedger(t *testing.T, c *Cluster) *ledger {
	l := &ledger{t, map[uint64]Applying{}, map[*Node]uint64{}, map[*Node]int{}, map[*Node]int{}}
	c.Applied = l.note
	return l
}

func (l *ledger) note(n *Node, a Applying) {
	if last := l.last[n]; last > 0 && a.Index > last+1 {
		l.jumps[n]++
	}
	l.last[n] = max(l.last[n], a.Index)
	first, known := l.states[a.Index]
	if !known {
		l.states[a.Index] = a
		return
	}
	if first.Term != a.Term || first.Entry != a.Entry || first.State != a.State {
		l.t.Errorf("entry %d made %+v of node %d, and %+v of another", a.Index, a, n.ID(), first)
	}
	if a.State != 0 && l.jumps[n] > 0 {
		l.agreed[n]++
	}
}

// intake watches the disk of a node for snapshots that others send to it, and ends
// its life at the crash-th act of taking one in.
type intake struct {
	node  *Node
	book  *ledger
	on    bool
	acts  int
	crash int
}

func (i *intake) watch(_ sim.Act, file string) error {
	if !strings.Contains(file, "/snapshots") {
		return nil
	}
	index, _, _ := strings.Cut(path.Base(file), "-")
	if n, err := strconv.ParseUint(index, 10, 64); err == nil && n > i.book.last[i.node] {
		i.on = true // it is of more than this node has applied
	}
	if i.on {
		if i.acts++; i.acts == i.crash {
			i.node.CrashIn(1)
		}
	}
	return nil
}

// eachAct is how many acts lie between two crashes.
const eachAct = 5

// A node that was away for longer than the log reaches gets a snapshot. Wherever it
// ends while it takes that in, it comes back, and its state is that of the nodes
// which have applied every entry.
func TestCrashWhileASnapshotIsInstalled(t *testing.T) {
	c := newHastyCluster(t, 8, 4)
	book := newLedger(t, c)
	serves(t, c)
	n, lives := c.Nodes[2], 0
	in := &intake{node: n, book: book, crash: 1}
	n.Machine.Disk.Fault = in.watch
	for ; ; in.crash += eachAct {
		n.Crash()
		pass(t, c, 3e9)
		in.on, in.acts = false, 0
		behind := book.last[c.Nodes[0]]
		n.Boot(module(t))
		caughtUp := func() bool { return book.last[n] > behind }
		for by := c.World.Now() + 20e9; !caughtUp(); {
			if err := c.Run(by, func() bool { return caughtUp() || !n.Up() }); err != nil {
				t.Fatal(err)
			}
			if c.World.Now() >= by {
				t.Fatalf("after crash %d the node does not catch up", in.crash)
			}
			if !n.Up() {
				lives++
				n.Boot(module(t))
			}
		}
		if in.acts < in.crash {
			break
		}
	}
	n.Machine.Disk.Fault = nil
	if rounds := in.crash / eachAct; rounds < 3 || lives < rounds || book.jumps[n] <= rounds || book.agreed[n] < 2 {
		t.Errorf("%d crashes in %d acts of taking in %d snapshots, and %d states compared", lives, in.acts, book.jumps[n], book.agreed[n])
	}
	serves(t, c)
}
