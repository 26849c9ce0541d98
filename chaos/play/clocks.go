package play

import (
	"fmt"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/slots"
)

// resolution is what expiry adds to what clocks do: it goes by milliseconds, and
// by a reading that is used for a while.
const resolution = 5 * million

// clockOf bounds how far the civil clocks of a plan's nodes are off, beside what they
// were set by, which marks tell.
func clockOf(p *plan.Plan) linearize.Clock {
	drift, most, off := slots.DefaultLease.Drift, int64(0), map[int]int64{} // off by node, spares too
	for _, e := range p.Events {
		if e.Fault == fault.ClockDrift {
			drift = max(drift, e.Amount, -e.Amount)
			off[e.Node] += max(e.Amount, -e.Amount) * e.For // parts of a million of milliseconds are nanoseconds
			most = max(most, off[e.Node])
		}
	}
	return linearize.Clock{Drift: drift, Skew: resolution + most}
}

// clocks writes down when civil clocks are set.
type clocks struct {
	offsets []int64 // of each node
	fresh   []jump  // that a node may not have noticed yet
}

// jump is a clock that was set.
type jump struct {
	node int
	mark int // of the history
	at   int64
}

// A node that runs a command looks at its civil clock if it did not for a few
// milliseconds, and goes by the other one in between.
const (
	noticed = 100 * million // after this long of a node's running it has looked
	spare   = 100 * million
)

// look notices clocks that were set, and nodes that have noticed it.
func (c *clocks) look(r *run, now int64) {
	if c.offsets == nil {
		c.offsets = make([]int64, len(r.cluster.Nodes))
	}
	h := &r.crowd.History
	for i, n := range r.cluster.Nodes {
		by := n.Machine.Clock.Offset - c.offsets[i]
		if by == 0 {
			continue
		}
		c.offsets[i] += by
		c.fresh = append(c.fresh, jump{i, len(h.Marks), now})
		h.Marks = append(h.Marks, linearize.Mark{
			Kind: linearize.ClockJump, Node: nodeName(i), Text: fmt.Sprintf("by %d ms", by/million),
			By: by, From: now, To: now,
		})
	}
	var left []jump
	for _, j := range c.fresh {
		n := r.cluster.Nodes[j.node]
		if n.Up() && n.Reached() < j.at+noticed {
			left = append(left, j)
			continue
		}
		h.Marks[j.mark].To = max(now, n.Reached()) + spare
	}
	c.fresh = left
}

// end says that what was not noticed by now may never be.
func (c *clocks) end(r *run) {
	for _, j := range c.fresh {
		r.crowd.History.Marks[j.mark].To = r.world.Now() + spare
	}
}
