package plan

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/workload"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/slots"
)

// Options bound what is drawn. What is 0 or empty is drawn, or has its usual value.
type Options struct {
	Nodes, Shards, Clients int
	NodesTo, ShardsTo      int      // if not 0, as many as this or less, and not less than Nodes and Shards, are drawn
	Seconds                int      // of a run
	Faults                 []string // that may happen; nil: all; empty: none
	Workload               string
	NoLater                bool // nothing that needs a later version of the node
	Alone                  bool // one node in no cluster
}

// DefaultSeconds is how long a run lasts, in seconds of the world.
const DefaultSeconds = 30

// Validate tells what is wrong with options.
func (o *Options) Validate() error {
	for _, name := range o.Faults {
		if fault.Find(name) == nil {
			return fault.Unknown("fault", name, fault.Names())
		}
	}
	if o.Seconds < 0 || o.Seconds > LongestRun/1000 {
		return fmt.Errorf("%d seconds: it must be 1 to %d", o.Seconds, LongestRun/1000)
	}
	if err := errors.Join(checkSpan("nodes", o.Nodes, o.NodesTo), checkSpan("shards", o.Shards, o.ShardsTo)); err != nil {
		return err
	}
	most := *o
	most.Nodes, most.Shards, most.NodesTo, most.ShardsTo = max(o.Nodes, o.NodesTo), max(o.Shards, o.ShardsTo), 0, 0
	return Draw(0, most).Validate()
}

// Draw draws the plan of a seed.
func Draw(seed uint64, o Options) *Plan {
	d := fault.Dice{Rand: sim.NewRand(seed ^ 0x91a4)}
	or := func(given, drawn int) int {
		if given != 0 {
			return given
		}
		return drawn
	}
	seconds, size := int64(or(o.Seconds, DefaultSeconds)), sim.NewRand(seed^0x51e)
	o.Nodes, o.Shards = within(size.Uint64(), o.Nodes, o.NodesTo), within(size.Uint64(), o.Shards, o.ShardsTo)
	p := &Plan{
		Seed: seed, Nodes: or(o.Nodes, 3), Shards: or(o.Shards, 1+d.Below(2)), Clients: or(o.Clients, 6),
		Workload: o.Workload, Heal: seconds * 600, End: seconds * 1000,
	}
	p.cast(o)
	if p.Network = weather(seed, o); p.Rush {
		p.Network.MaxDelay = p.Network.MinDelay
	}
	if few := (fault.Dice{Rand: sim.NewRand(seed ^ 0x54a9)}); !few.Chance(40) {
		p.Snapshot = 3 + few.Below(20)
	}
	for i := range fault.Table {
		if f := &fault.Table[i]; o.may(f) {
			p.draw(dice(seed, f.Name), f)
		}
	}
	p.calm(dice(seed, "once"))
	p.coarsen(dice(seed, "drift"), &o)
	p.spare(d)
	p.enlist(dice(seed, "spares"))
	p.settle(dice(seed, "moves"))
	p.sort()
	return p
}

// cast draws the workload, how clients go about it, and the nodes that it needs: in one run of five a node
// that is alone and has more shards, for any workload.
func (p *Plan) cast(o Options) {
	d := fault.Dice{Rand: sim.NewRand(p.Seed ^ 0xca57)}
	p.Rush = d.Chance(40)
	alone, shards := d.Chance(20), 2+d.Below(3)
	p.Alone = o.Alone || alone && o.Nodes == 0
	var fit []string
	for _, w := range workload.Table {
		switch {
		case p.Alone:
			fit = append(fit, slices.Repeat([]string{w.Name}, max(1, w.Share))...)
		case !w.Alone:
			fit = append(fit, w.Name)
		}
	}
	if any := fit[d.Below(len(fit))]; p.Workload == "" {
		p.Workload = any
	}
	w := workload.Find(p.Workload)
	if w == nil { // which Validate tells
		return
	}
	p.Alone = p.Alone || w.Alone && o.Nodes == 0
	if p.Alone && o.Nodes == 0 {
		p.Nodes = 1
	}
	if p.Alone && o.Shards == 0 {
		p.Shards = shards
	}
	p.Relaxed = d.Chance(40) && p.Shards > 1 && !w.Strict
}

// dice are those of one thing in the plan of a seed: what is drawn for it depends on
// nothing else that may happen.
func dice(seed uint64, what string) fault.Dice {
	h := fnv.New64a()
	h.Write([]byte(what))
	return fault.Dice{Rand: sim.NewRand(seed ^ h.Sum64())}
}

// may tells whether a fault is wanted.
func (o *Options) may(f *fault.Fault) bool {
	if o.Faults == nil {
		return !f.Later || !o.NoLater
	}
	return slices.Contains(o.Faults, f.Name)
}

// weather draws the network's small misdeeds: they have no event, and are there
// in every run that is to have faults. Disks fail by events alone.
func weather(seed uint64, o Options) sim.Mix {
	kind := sim.Mix{MinDelay: 100_000, MaxDelay: 1_000_000}
	if o.Faults != nil && len(o.Faults) == 0 {
		return kind
	}
	mix := sim.DrawMix(seed)
	mix.SyncFails, mix.ReadFails, mix.WriteFails = 0, 0, 0
	mix.Reset /= 20
	mix.MinDelay = kind.MinDelay
	mix.MaxDelay = max(mix.MaxDelay, kind.MaxDelay)
	mix.Window = max(mix.Window, 512)
	return mix
}

// begin is when the first fault may happen, in milliseconds: a cluster takes about
// two seconds to form. Some runs begin sooner.
const begin = 3000

// draw draws when a fault happens: in about two of three runs it does not, so that
// some show one fault without the noise of the others.
func (p *Plan) draw(d fault.Dice, f *fault.Fault) {
	rate := d.Below(3)
	mean := d.Between(2000, 20_000)
	first := int64(begin)
	if d.Chance(10) {
		first = 0
	}
	if rate != 0 || f.Share > 0 && !d.Chance(f.Share) || f.Joined && p.Alone {
		return
	}
	for at := first + d.Between(0, mean); at < p.Heal; at += d.Between(200, 2*mean) {
		e := fault.Event{At: at, Fault: f.Name, Node: d.Below(p.Nodes)}
		f.Draw(d, &e)
		if f.Once {
			e.At = max(first, min(e.At, p.Heal-e.For))
		}
		p.Events = append(p.Events, e)
		if f.Once {
			return
		}
	}
}

// calm has nothing else happen, in most runs, while something goes on that a run has
// once, and that takes all nodes to come to its end.
func (p *Plan) calm(d fault.Dice) {
	at := slices.IndexFunc(p.Events, of(once))
	if at < 0 || !d.Chance(60) {
		return
	}
	from, to := p.Events[at].At, p.Events[at].At+p.Events[at].For
	p.Events = slices.DeleteFunc(p.Events, func(e fault.Event) bool { return !fault.Find(e.Fault).Once && e.At < to && e.At+e.For > from-slack })
}

// slack is how long, in milliseconds, what has happened may go on to show.
const slack = 3000

// formed is by when, in milliseconds, a cluster has all its voters if nothing
// happens.
const formed = 8000

// spare lets only one node be spoiled, once, of three nodes or more, and nothing
// happen before the cluster is formed in plans in which one is: what is lost must be
// a minority.
func (p *Plan) spare(d fault.Dice) {
	victim, first := d.Below(p.Nodes), slices.IndexFunc(p.Events, of(spoils))
	if first < 0 {
		return
	}
	spoiler := p.Events[first]
	p.drop(spoils)
	if p.Nodes < 3 || p.Heal <= formed || p.has(churns) && d.Chance(50) {
		return
	}
	p.Events = slices.DeleteFunc(p.Events, func(e fault.Event) bool { return e.At < formed })
	// A voter that leaves and is lost before the Raft group is without it would be a
	// second one. So a run has one of both.
	p.drop(churns)
	spoiler.At, spoiler.Node = max(spoiler.At, formed), victim
	p.Events = append(p.Events, spoiler)
}

// settle leaves slots where they are where nobody can move them: on a node alone, and
// where clocks jump, of which models know for keys that stay on a node. In some
// of those runs that would have both, clocks do not jump.
func (p *Plan) settle(d fault.Dice) {
	switch {
	case p.Alone:
		p.drop(moves)
	case p.Jumps() && p.has(moves) && d.Chance(30):
		p.drop(jumps)
	case p.Jumps():
		p.drop(moves)
	}
}

// coarse is what clocks may drift in clusters whose clocks are bad, in parts of a
// million: the most that leases can allow for.
const coarse = slots.MaxDrift

// coarsen has the clocks of some clusters run off far, as their leases allow for: what
// that adds to a wait is small otherwise, beside all that takes time there. A node
// with a slow clock ends again and again, and is started while its lease lasts. But for
// moves of slots nothing else happens: whatever does makes the others wait for longer.
func (p *Plan) coarsen(d fault.Dice, o *Options) {
	wanted := o.may(fault.Find(fault.ClockDrift)) && o.may(fault.Find(fault.Crash))
	if !wanted || p.Alone || !d.Chance(10) || p.has(once) {
		return
	}
	p.Drift = coarse
	if p.End -= (p.End - p.Heal) * 2 / 3; o.Clients == 0 {
		p.Clients = 4 // nodes that do well have more to do, and there is less to heal
	}
	p.drop(func(f *fault.Fault) bool { return !f.Moves })
	slow := d.Below(p.Nodes)
	for node := range p.Nodes {
		e := fault.Event{Fault: fault.ClockDrift, Node: node, For: p.Heal, Amount: d.Between(coarse*8/10, coarse*99/100)}
		if node == slow || d.Chance(20) {
			e.Amount = -e.Amount
		}
		p.Events = append(p.Events, e)
	}
	for at := begin + d.Between(0, 3000); at < p.Heal; at += d.Between(4000, 5000) {
		p.Events = append(p.Events, fault.Event{At: at, Fault: fault.Crash, Node: slow, For: d.Between(1, 60)})
	}
}

// enlist has a spare node where one is to join, and has some of what happens to nodes
// happen to it.
func (p *Plan) enlist(d fault.Dice) {
	if !p.has(churns) {
		return
	}
	p.Spares = 1
	for i := range p.Events {
		e := &p.Events[i]
		if f := fault.Find(e.Fault); d.Chance(20) && !f.Spoils && !f.Spare {
			e.Node = p.Nodes
		}
	}
}
