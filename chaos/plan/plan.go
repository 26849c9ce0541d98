package plan

import (
	"cmp"
	"slices"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/workload"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/slots"
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
	// Drift is how far clocks may run off, in parts of a million, as leases allow for;
	// 0: as slots.DefaultLease does.
	Drift int64 `json:"drift,omitempty"`

	Events []fault.Event `json:"-"` // by time
}

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

// Lease is what leases are like in the run.
func (p *Plan) Lease() slots.Lease {
	l := slots.DefaultLease
	l.Drift = cmp.Or(p.Drift, l.Drift)
	return l
}

// Kinds of faults that rules are about.
func once(f *fault.Fault) bool   { return f.Once }
func moves(f *fault.Fault) bool  { return f.Moves }
func jumps(f *fault.Fault) bool  { return f.Jumps }
func churns(f *fault.Fault) bool { return f.Spare }
func spoils(f *fault.Fault) bool { return f.Spoils }

// of tells the events of faults of a kind from others.
func of(kind func(*fault.Fault) bool) func(fault.Event) bool {
	return func(e fault.Event) bool { return kind(fault.Find(e.Fault)) }
}

// has tells whether there is an event of a fault of a kind.
func (p *Plan) has(kind func(*fault.Fault) bool) bool { return slices.ContainsFunc(p.Events, of(kind)) }

// drop leaves out the events of faults of a kind.
func (p *Plan) drop(kind func(*fault.Fault) bool) { p.Events = slices.DeleteFunc(p.Events, of(kind)) }

// Jumps tells whether a civil clock is set.
func (p *Plan) Jumps() bool { return p.has(jumps) }

// Clone gives a copy that shares nothing with the plan.
func (p *Plan) Clone() *Plan {
	c := *p
	c.Events = slices.Clone(p.Events)
	return &c
}

// Voids tells whether the promise of leases does not hold in the run.
func (p *Plan) Voids() bool { return p.has(func(f *fault.Fault) bool { return f.Voids }) }

// Later tells whether a node of a later version takes part.
func (p *Plan) Later() bool { return p.has(func(f *fault.Fault) bool { return f.Later }) }

// sort brings the events into the order of time.
func (p *Plan) sort() {
	slices.SortStableFunc(p.Events, func(a, b fault.Event) int { return cmp.Compare(a.At, b.At) })
}
