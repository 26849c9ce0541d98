package plan

import (
	"fmt"
	"slices"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/workload"
	"github.com/elares/ironcache/slots"
)

// Bounds of a plan.
const (
	MostNodes    = 15
	MostSpares   = 1
	MostShards   = 16
	MostClients  = 64
	MostEntries  = 1_000_000        // before a snapshot
	LongestRun   = fault.LongestRun // milliseconds
	LongestDelay = 60_000_000_000   // nanoseconds
	MostWindow   = 1 << 30          // bytes
	LongestTick  = 1_000_000        // nanoseconds
	Always       = 1_000_000        // the rate of what happens each time
	MostHidden   = 900_000          // of a million: a node that never hears of anything is stuck
)

// bound is what a number of a plan is, and may be.
type bound struct {
	field              string // as files name it
	value, least, most int64
}

// bounds lists those of all numbers but seed and salt, which may be any.
func (p *Plan) bounds() []bound {
	n := &p.Network
	return []bound{
		{"nodes", int64(p.Nodes), 1, MostNodes},
		{"spares", int64(p.Spares), 0, MostSpares},
		{"shards", int64(p.Shards), 1, MostShards},
		{"clients", int64(p.Clients), 1, MostClients},
		{"keys", int64(p.Keys), 0, workload.MostKeys},
		{"snapshot", int64(p.Snapshot), 0, MostEntries},
		{"drift", p.Drift, 0, slots.MaxDrift},
		{"end", p.End, 0, LongestRun},
		{"heal", p.Heal, 0, p.End},
		{"network.ShortRead", int64(n.ShortRead), 0, Always},
		{"network.ShortWrite", int64(n.ShortWrite), 0, Always},
		{"network.Hidden", int64(n.Hidden), 0, MostHidden},
		{"network.Reset", int64(n.Reset), 0, Always},
		// Disks fail by events alone: judges would not know why a node ended.
		{"network.SyncFails", int64(n.SyncFails), 0, 0},
		{"network.ReadFails", int64(n.ReadFails), 0, 0},
		{"network.WriteFails", int64(n.WriteFails), 0, 0},
		{"network.MinDelay", n.MinDelay, 0, LongestDelay},
		{"network.MaxDelay", n.MaxDelay, n.MinDelay, LongestDelay},
		{"network.Window", int64(n.Window), 0, MostWindow},
		{"network.Tick", n.Tick, 0, LongestTick},
	}
}

// Validate tells what is wrong with a plan: the field, what it is, and what it may be.
func (p *Plan) Validate() error {
	for _, b := range p.bounds() {
		if b.value < b.least || b.value > b.most {
			return fmt.Errorf("%d %s: it must be %d to %d", b.value, b.field, b.least, b.most)
		}
	}
	switch w := workload.Find(p.Workload); {
	case w == nil:
		return fault.Unknown("workload", p.Workload, workload.Names())
	case p.Alone && p.Nodes != 1:
		return fmt.Errorf("%d nodes: one that is alone is in no cluster", p.Nodes)
	case p.Alone && p.Spares != 0:
		return fmt.Errorf("%d spares: a node that is alone has no cluster to join", p.Spares)
	case w.Alone && !p.Alone:
		return fmt.Errorf("workload %s needs a node that is alone", w.Name)
	case w.Strict && p.Relaxed:
		return fmt.Errorf("workload %s needs pipelines that take effect in order", w.Name)
	}
	for i := range p.Events {
		if err := p.check(&p.Events[i], p.Events[:i]); err != nil {
			return fmt.Errorf("event %d: %w", i+1, err)
		}
	}
	return nil
}

// check tells what is wrong with an event, behind those before it.
func (p *Plan) check(e *fault.Event, before []fault.Event) error {
	f := fault.Find(e.Fault)
	if f == nil {
		return fault.Unknown("fault", e.Fault, fault.Names())
	}
	switch least, most := f.Amounts(); {
	case e.Node < 0 || e.Node >= p.Nodes+p.Spares:
		return fmt.Errorf("fault %s of node %d: nodes are 0 to %d", e.Fault, e.Node, p.Nodes+p.Spares-1)
	case e.At < 0 || e.At > p.Heal:
		return fmt.Errorf("fault %s at %d ms: it must be 0 to %d, when all is healed", e.Fault, e.At, p.Heal)
	case e.For < 0 || e.For > LongestRun:
		return fmt.Errorf("fault %s for %d ms: it must be 0 to %d", e.Fault, e.For, LongestRun)
	case f.Amount == "" && e.Amount != 0:
		return fmt.Errorf("fault %s with amount %d: it has no amount", e.Fault, e.Amount)
	case e.Amount < least || e.Amount > most:
		return fmt.Errorf("fault %s with amount %d (%s): it must be %d to %d", e.Fault, e.Amount, f.Amount, least, most)
	}
	switch {
	case f.Spare && p.Spares == 0:
		return fmt.Errorf("fault %s needs a spare node", e.Fault)
	case p.Alone && (f.Joined || f.Moves):
		return fmt.Errorf("fault %s needs a cluster, and the node is alone", e.Fault)
	case f.Once && slices.ContainsFunc(before, func(o fault.Event) bool { return o.Fault == e.Fault }):
		return fmt.Errorf("fault %s once more: a run has it at most once", e.Fault)
	}
	return nil
}
