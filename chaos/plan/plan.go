package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/workload"
	"github.com/elares/ironcache/sim"
)

// A Plan is one run.
type Plan struct {
	Seed     uint64 `json:"seed"`           // of all that the plan does not say
	Salt     uint64 `json:"salt,omitempty"` // of other draws for the same plan
	Nodes    int    `json:"nodes"`
	Spares   int    `json:"spares,omitempty"` // nodes more, that are in no cluster until they join
	Shards   int    `json:"shards"`           // of each node
	Clients  int    `json:"clients"`
	Workload string `json:"workload"`
	Alone    bool   `json:"alone,omitempty"`   // the node is in no cluster
	Relaxed  bool   `json:"relaxed,omitempty"` // pipelines take effect in order key by key only
	// Rush says that clients ask at the same moments, and that what they ask takes
	// equally long to arrive: nodes serve many at once.
	Rush bool `json:"rush,omitempty"`
	// Keys is how many keys, or families of keys, are in use at a time; 0: as many as
	// the workload says.
	Keys    int     `json:"keys,omitempty"`
	Heal    int64   `json:"heal"`    // when all faults end, in milliseconds
	End     int64   `json:"end"`     // when the run ends, in milliseconds
	Network sim.Mix `json:"network"` // how unkind the network is until Heal
	// Snapshot is after how many entries of the log a node writes its state down
	// and cuts the log off; 0: never in so short a run.
	Snapshot int `json:"snapshot,omitempty"`

	Events []fault.Event `json:"-"` // by time
}

// Bounds of a plan.
const (
	MostNodes   = 15
	MostSpares  = 1
	MostShards  = 16
	MostClients = 64
	LongestRun  = 3_600_000 // milliseconds
)

// Recovery is how long, in milliseconds, a cluster may take to serve all of its
// slots after all faults have ended.
const Recovery = 20_000

// World is the seed of the world that the plan is run in. Salts lie far apart, so
// that nothing drawn by one is drawn by another.
func (p *Plan) World() uint64 {
	if p.Salt == 0 {
		return p.Seed
	}
	return sim.NewRand(p.Seed ^ p.Salt<<20).Uint64()
}

// KeysAtOnce is how many keys are in use at a time.
func (p *Plan) KeysAtOnce() int {
	if w := workload.Find(p.Workload); p.Keys == 0 && w != nil {
		return w.Keys
	}
	return p.Keys
}

// Jumps tells whether a civil clock is set.
func (p *Plan) Jumps() bool {
	return slices.ContainsFunc(p.Events, func(e fault.Event) bool { return e.Fault == fault.ClockJump })
}

// Clone gives a copy that shares nothing with the plan.
func (p *Plan) Clone() *Plan {
	c := *p
	c.Events = slices.Clone(p.Events)
	return &c
}

// Validate tells what is wrong with a plan.
func (p *Plan) Validate() error {
	switch {
	case p.Nodes < 1 || p.Nodes > MostNodes:
		return fmt.Errorf("%d nodes: it must be 1 to %d", p.Nodes, MostNodes)
	case p.Spares < 0 || p.Spares > MostSpares:
		return fmt.Errorf("%d spares: it must be 0 to %d", p.Spares, MostSpares)
	case p.Shards < 1 || p.Shards > MostShards:
		return fmt.Errorf("%d shards: it must be 1 to %d", p.Shards, MostShards)
	case p.Snapshot < 0:
		return fmt.Errorf("a snapshot after %d entries: it must be 0 or more", p.Snapshot)
	case p.Clients < 1 || p.Clients > MostClients:
		return fmt.Errorf("%d clients: it must be 1 to %d", p.Clients, MostClients)
	case p.Keys < 0 || p.Keys > workload.MostKeys:
		return fmt.Errorf("%d keys at a time: it must be 1 to %d", p.Keys, workload.MostKeys)
	case workload.Find(p.Workload) == nil:
		return fmt.Errorf("there is no workload %q: did you mean %q?", p.Workload, workload.Nearest(p.Workload))
	case p.Heal < 0 || p.Heal > p.End || p.End > LongestRun:
		return fmt.Errorf("healed at %d ms and ended at %d ms: it must be 0 <= heal <= end <= %d", p.Heal, p.End, LongestRun)
	}
	switch w := workload.Find(p.Workload); {
	case p.Alone && p.Nodes != 1:
		return fmt.Errorf("%d nodes: one that is alone is in no cluster", p.Nodes)
	case w.Alone && !p.Alone:
		return fmt.Errorf("workload %s needs a node that is alone", w.Name)
	case w.Strict && p.Relaxed:
		return fmt.Errorf("workload %s needs pipelines that take effect in order", w.Name)
	}
	for i := range p.Events {
		if err := p.check(&p.Events[i]); err != nil {
			return fmt.Errorf("event %d: %w", i+1, err)
		}
	}
	return nil
}

// check tells what is wrong with an event.
func (p *Plan) check(e *fault.Event) error {
	switch f := fault.Find(e.Fault); {
	case f == nil:
		return fmt.Errorf("there is no fault %q: did you mean %q?", e.Fault, fault.Nearest(e.Fault))
	case e.Node < 0 || e.Node >= p.Nodes+p.Spares:
		return fmt.Errorf("fault %s of node %d: nodes are 0 to %d", e.Fault, e.Node, p.Nodes+p.Spares-1)
	case f.Name == fault.Churn && p.Spares == 0:
		return fmt.Errorf("fault %s needs a spare node", e.Fault)
	case e.At < 0 || e.At > p.Heal:
		return fmt.Errorf("fault %s at %d ms: it must be 0 to %d, when all is healed", e.Fault, e.At, p.Heal)
	case e.For < 0 || e.For > LongestRun:
		return fmt.Errorf("fault %s for %d ms: it must be 0 to %d", e.Fault, e.For, LongestRun)
	case f.Amount == "" && e.Amount != 0:
		return fmt.Errorf("fault %s has no amount", e.Fault)
	case f.Valid != nil && !f.Valid(e.Amount), f.Valid == nil && e.Amount < 0:
		return fmt.Errorf("fault %s with amount %d (%s): out of range", e.Fault, e.Amount, f.Amount)
	}
	return nil
}

// Voids tells whether the promise of leases does not hold in the run.
func (p *Plan) Voids() bool {
	return slices.ContainsFunc(p.Events, func(e fault.Event) bool { return fault.Find(e.Fault).Voids })
}

// sort brings the events into the order of time.
func (p *Plan) sort() {
	slices.SortStableFunc(p.Events, func(a, b fault.Event) int { return cmp.Compare(a.At, b.At) })
}
