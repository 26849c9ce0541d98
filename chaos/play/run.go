package play

import (
	"cmp"
	"fmt"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/workload"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/wasm"
)

// Options are about a run, and change nothing of it.
type Options struct {
	// Tell, if set, is told of all that happens, a line each, and of what nodes log.
	Tell func(line string)
	// Watch, if set, is told of all that happens, in words.
	Watch func(h *Happening)
	// Pulse, if set, says where the run is.
	Pulse *wasm.Pulse
}

// run is one plan that is under way.
type run struct {
	plan    *plan.Plan
	module  *wasm.Module // of a node, unless a fault has it run another
	cluster *wasm.Cluster
	world   *sim.World
	stage   *fault.Stage
	crowd   *workload.Crowd
	probes  []*workload.Probe
	tell    func(line string)
	watcher *watcher // nil: nobody watches

	next    int // of the plan's events
	going   []*going
	clocks  clocks
	down    []down                // by node
	last    map[*wasm.Node][]byte // that a node wrote, the end of it
	marks   map[string]int        // that nodes told of
	wipes   []wipe
	owners  ownership
	late    []int64 // by node: until when it stands still when all is healed
	result  *Result
	healing bool
}

// going is a fault that has begun.
type going struct {
	fault.Going
	event fault.Event
	begun int64
	seen  int64 // 0: not yet
	until int64 // when it is to end
	over  int64 // when it did; 0: not yet
}

// down is a node's time between two lives.
type down struct {
	is    bool
	since int64
	until int64
}

const million = 1_000_000 // nanoseconds of a millisecond

// clientsBegin is when clients begin to ask, in milliseconds: before the cluster
// is formed, as clients do.
const clientsBegin = 1000

// Run runs a plan with a module.
func Run(p *plan.Plan, m *wasm.Module, o Options) *Result {
	r := &run{plan: p, module: m, tell: o.Tell, last: map[*wasm.Node][]byte{}, marks: map[string]int{}}
	r.result = &Result{Plan: p, Begun: map[string]int{}, Seen: map[string]int{}, Evidence: &judge.Evidence{History: &linearize.History{}}}
	r.build()
	r.watchBy(o.Watch)
	if o.Pulse != nil {
		o.Pulse.Reset()
		r.cluster.Pulse = o.Pulse
	}
	r.start()
	defer r.cluster.Shut()
	e := r.result.Evidence
	e.Stopped = cmp.Or(r.safety(), r.stage.Failed)
	if e.Stopped == nil {
		r.heal()
		e.Stopped = r.liveness()
	}
	r.finish()
	return r.result
}

// build makes the cluster, which forms itself, and its clients.
func (r *run) build() {
	r.cluster = newCluster(r.plan)
	r.world = r.cluster.World
	r.cluster.Log, r.cluster.Fence, r.cluster.Applied, r.cluster.Standing = r.wrote, r.fenced, r.applied, r.stands
	r.cluster.Led, r.cluster.Mark = r.led, func(_ *wasm.Node, mark string) { r.marks[mark]++ }
	if r.tell != nil {
		r.world.Tell(r.tell)
	}
	r.stage = fault.NewStage(r.cluster, r.module)
	r.stage.Spares = r.plan.Spares
	r.down = make([]down, len(r.cluster.Nodes))
	r.crowd = workload.NewCrowd(workload.Options{
		World: r.world, Nodes: addresses(r.cluster), Alone: r.plan.Alone, Clients: r.plan.Clients,
		Workload: workload.Find(r.plan.Workload), Start: clientsBegin * million, Keys: r.plan.Keys, Rush: r.plan.Rush,
	})
	r.movable()
	for _, e := range r.plan.Events {
		r.world.At(e.At*million, func() {})
	}
}

// start starts all nodes.
func (r *run) start() {
	for i := range r.cluster.Nodes {
		r.boot(i, 0)
	}
}

// safety runs until all is to be healed.
func (r *run) safety() error {
	return r.cluster.Run(r.plan.Heal*million, func() bool {
		r.step()
		return r.stage.Failed != nil
	})
}

// step does all that is to be done now, from outside of the nodes.
func (r *run) step() {
	now := r.world.Now()
	r.attend(now)
	for ; r.next < len(r.plan.Events) && r.plan.Events[r.next].At*million <= now; r.next++ {
		r.begin(r.plan.Events[r.next], now)
	}
	for _, g := range r.going {
		r.watch(g, now)
	}
	r.clocks.look(r, now)
	r.crowd.Step()
	for _, p := range r.probes {
		p.Step()
	}
}

// begin lets a fault happen.
func (r *run) begin(e fault.Event, now int64) {
	r.note("fault", e)
	r.watcher.fault(e, begins)
	g := &going{event: e, begun: now, until: now + e.For*million}
	r.result.Begun[e.Fault]++
	g.Going = fault.Find(e.Fault).Begin(r.stage, e)
	r.world.At(g.until, func() {})
	r.going = append(r.going, g)
	r.attend(now)
}

// watch looks whether a fault's effect is seen, and ends the fault in time.
func (r *run) watch(g *going, now int64) {
	if g.Step != nil {
		g.Step()
	}
	if g.seen == 0 && g.Seen() {
		g.seen = max(now, 1)
		r.watcher.fault(g.event, "shows its effect")
		r.result.Seen[g.event.Fault]++
	}
	if g.over == 0 && now >= g.until {
		g.over = max(now, 1)
		if g.End != nil {
			r.note("end of fault", g.event)
			r.watcher.fault(g.event, "ends")
			g.End()
		}
	}
}

// note tells the trace of a fault.
func (r *run) note(what string, e fault.Event) {
	r.world.Note(what+" "+e.Fault, uint64(e.Node), e.Amount)
}

// attend notices nodes that have ended, and starts them anew in time.
func (r *run) attend(now int64) {
	for i, n := range r.cluster.Nodes {
		d := &r.down[i]
		switch {
		case n.Up():
			r.goesOn(n)
		case !d.is:
			r.fell(i, now)
		case now >= d.until:
			r.reboot(i, now)
		}
	}
}

// goesOn notices a node that cannot trust its disk, and has run for a second since.
func (r *run) goesOn(n *wasm.Node) {
	s := &r.stage.Nodes[n.ID()]
	if s.Unsure == 0 || n.Reached() < s.Unsure+1000*million {
		return
	}
	e := r.result.Evidence
	e.Unsure = append(e.Unsure, judge.Exit{Life: life(n), At: s.Unsure, Why: "a sync of its log or its votes failed"})
	s.Unsure = 0
}

// fell notes that a node has ended.
func (r *run) fell(i int, now int64) {
	n, s := r.cluster.Nodes[i], &r.stage.Nodes[i]
	r.closeSpan(n, now)
	if n.Ended != nil {
		refuses := r.stage.Refuses(i, string(r.last[n]))
		r.result.Evidence.Exits = append(r.result.Evidence.Exits, judge.Exit{
			Life: judge.Life{Node: i, Life: n.Lives()}, At: now, Shaken: s.Shaken || s.Spoiled || refuses,
			Why: fmt.Sprintf("%v: %s", n.Ended, r.last[n]),
		})
	}
	wait := s.Down
	s.Down, s.Unsure = fault.Restart, 0
	switch {
	case s.Doomed, s.Spoiled && n.Ended != nil: // it would end again
		wait = plan.LongestRun * million
	case r.healing:
		wait = fault.Restart
	}
	r.down[i] = down{true, now, max(now+wait, n.Reached())}
	r.world.At(r.down[i].until, func() {})
}

// reboot starts a node anew: what it held is gone.
func (r *run) reboot(i int, now int64) {
	h := r.crowd
	h.History.Marks = append(h.History.Marks, linearize.Mark{
		Kind: linearize.Wipe, Node: nodeName(i), From: r.down[i].since, To: now,
	})
	r.wipes = append(r.wipes, wipe{life(r.cluster.Nodes[i]), r.down[i].since, now})
	r.down[i] = down{}
	r.stage.Nodes[i].Shaken = false // what fails it from now on is a fault of this life
	r.boot(i, now)
}

// boot starts a node's next life.
func (r *run) boot(i int, now int64) {
	r.openSpan(r.cluster.Nodes[i], now)
	r.cluster.Nodes[i].Boot(r.stage.Module(i))
}

// heal ends all faults: what is cut off is not any more, what is down starts.
func (r *run) heal() {
	now := r.world.Now()
	r.healing = true
	r.result.Evidence.Healed = now
	for _, g := range r.going {
		g.until = now
		r.watch(g, now)
	}
	for i, n := range r.cluster.Nodes {
		n.CrashIn(0)
		n.Fuse = 0
		n.PauseIn(0, 0)
		n.Resume()
		r.late = append(r.late, n.Reached())
		if r.down[i].is && !r.stage.Nodes[i].Doomed {
			r.down[i].until = max(now, n.Reached())
			r.world.At(r.down[i].until, func() {})
		}
	}
	r.world.SetMix(sim.Mix{MinDelay: 100_000, MaxDelay: 1_000_000, Window: sim.DefaultWindow, Tick: sim.DefaultTick})
	for i, address := range addresses(r.cluster)[:r.plan.Nodes] {
		r.probes = append(r.probes, workload.NewProbe(r.world, address, keyOf(i, r.plan.Nodes)))
	}
}

// liveness runs until the end, or until every node had its time to serve again.
func (r *run) liveness() error {
	end := max(r.plan.End, r.plan.Heal+plan.Recovery) * million
	least := r.plan.End * million
	return r.cluster.Run(end, func() bool {
		r.step()
		return r.world.Now() >= least && r.well()
	})
}

// well tells whether every node serves that is expected to.
func (r *run) well() bool {
	for i, p := range r.probes {
		if p.Served == 0 && !r.stage.Nodes[i].Spoiled {
			return false
		}
	}
	return true
}
