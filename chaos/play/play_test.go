package play

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/workload"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/wasm"
)

// node gives the module, built once for all tests.
var node = sync.OnceValues(func() (*wasm.Module, error) { return wasm.Open(context.Background(), ".") })

func module(t *testing.T) *wasm.Module {
	t.Helper()
	if testing.Short() {
		t.Skip("compiling the node takes a while")
	}
	m, err := node()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Drawn plans end well, and have one trace however often they are run and however
// much the nodes log and anybody watches.
func TestSeeds(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			p := plan.Draw(seed, plan.Options{Seconds: 20})
			r := Run(p, module(t), Options{})
			if r.Class != judge.OK {
				t.Errorf("%s: %v", r.Class, r.Findings)
			}
			if seed > 0 {
				return
			}
			if again := Run(p, module(t), Options{Tell: func(string) {}, Watch: func(*Happening) {}}); again.Trace != r.Trace {
				t.Errorf("two runs differ: %x and %x", r.Trace, again.Trace)
			}
		})
	}
}

// every has each fault of some once, one after the other.
func every(wanted func(fault.Fault) bool) *plan.Plan {
	p := plan.Draw(1, plan.Options{Nodes: 3, Shards: 1, Faults: []string{}, Workload: "register"})
	p.Spares = 1
	dice := fault.Dice{Rand: sim.NewRand(2)}
	at := int64(3000)
	table := slices.Clone(fault.Table) // what may spoil the node comes last
	slices.SortStableFunc(table, func(a, b fault.Fault) int { return spoils(a) - spoils(b) })
	for _, f := range table {
		if !wanted(f) {
			continue
		}
		e := fault.Event{At: at, Fault: f.Name, Node: int(at/2500) % 3} // a node has time to catch up
		if f.Spoils {
			e.Node = 2
		}
		f.Draw(dice, &e)
		e.For = min(e.For, 1400)
		switch f.Name {
		case "crash-at-call", "crash-at-start", "pause-at-call":
			e.Amount = 100
		case "split-partition": // the node and the one before it are on one side
			e.Amount = 0
		case "crash-unsynced-dir", "disk-astray":
			e.Amount = 1
		case "pair-partition": // two of three pairs: one of them has the leader
			e.Amount = 1
			p.Events = append(p.Events, e)
			at += 2500
			e.At, e.Amount = at, 2
		case "disk-rot": // it is seen when the node reads its disk
			e.Amount = 8
		}
		p.Events = append(p.Events, e)
		at += 2500
	}
	p.Heal, p.End = at, at+10_000
	return p
}

func spoils(f fault.Fault) int {
	if f.Spoils {
		return 1
	}
	return 0
}

// alone lists the faults that need a run of their own: those behind which a node
// does not come back, and those that void what judges look at.
func alone(f fault.Fault) bool { return f.Voids || f.Name == "disk-astray" }

// Every fault of the table has an effect that is seen, and every judge something to
// check.
func TestEveryFaultIsSeen(t *testing.T) {
	seen, checks := map[string]int{}, map[string]int{}
	for _, wanted := range []func(fault.Fault) bool{
		func(f fault.Fault) bool { return !f.Later && !alone(f) && !f.Moves },
		func(f fault.Fault) bool { return f.Moves },
		alone,
	} {
		r := Run(every(wanted), module(t), Options{})
		for name, n := range r.Seen {
			seen[name] += n
		}
		for name, n := range r.Checks {
			checks[name] += n
		}
		if r.Class != judge.OK {
			t.Errorf("%s: %v", r.Class, r.Findings)
		}
	}
	for _, f := range fault.Table {
		if seen[f.Name] == 0 && !f.Later {
			t.Errorf("%s was not seen", f.Name)
		}
	}
	for _, j := range judge.Table {
		if checks[j.Name] == 0 {
			t.Errorf("judge %s had nothing to check", j.Name)
		}
	}
}

// jumping is a plan in which a node's clock is set and the node crashes. That of
// transactions is of a cluster, the others are of a node alone, which is cheaper.
func jumping(workload string) *plan.Plan {
	p := plan.Draw(5, plan.Options{Workload: workload, Alone: workload != "transactions", Faults: []string{}, Seconds: 9})
	p.Heal = 8000
	p.Events = []fault.Event{
		{At: 4000, Fault: "clock-jump", Node: 0, Amount: 300}, {At: 5000, Fault: "clock-jump", Node: 0, Amount: -250},
		{At: 6000, Fault: "pause", Node: 0, For: 800}, {At: 7000, Fault: "crash", Node: 0, For: 100},
	}
	return p
}

// Every workload shows its judges something, through crashes and clocks that are
// set, and nothing is wrong.
func TestEveryWorkloadIsJudged(t *testing.T) {
	m := module(t)
	for _, w := range workload.Table {
		t.Run(w.Name, func(t *testing.T) {
			p := jumping(w.Name)
			if err := p.Validate(); err != nil {
				t.Fatal(err)
			}
			r := Run(p, m, Options{})
			if r.Class != judge.OK {
				t.Errorf("%s: %v", r.Class, r.Findings)
			}
			for _, name := range w.Judges {
				if r.Checks[name] == 0 {
					t.Errorf("judge %s had nothing to check", name)
				}
			}
			var jumps []int64
			for _, mark := range r.Evidence.History.Marks {
				if mark.Kind == linearize.ClockJump {
					jumps = append(jumps, mark.By/million)
					if mark.To-mark.From > 1000*million || len(mark.Keys) == 0 {
						t.Errorf("the mark of a jump: %+v", mark)
					}
				}
			}
			if want := []int64{300, -250}; !slices.Equal(jumps, want) {
				t.Errorf("jumps by %v", jumps)
			}
		})
	}
}

// Judges that a workload names exist.
func TestWorkloadsNameJudges(t *testing.T) {
	for _, w := range workload.Table {
		for _, name := range w.Judges {
			if !slices.ContainsFunc(judge.Table, func(j judge.Judge) bool { return j.Name == name }) {
				t.Errorf("workload %s names judge %q", w.Name, name)
			}
		}
	}
}

// Pipelines whose order is relaxed are seen not to be in order: what the judge of
// the order workload says is worth something.
func TestRelaxedOrderIsSeen(t *testing.T) {
	m := module(t)
	for seed := range uint64(4) {
		p := plan.Draw(seed, plan.Options{Workload: "order", Faults: []string{}, Seconds: 6})
		p.Rush, p.Network.MaxDelay = true, p.Network.MinDelay
		p.Relaxed = true // which the workload does not permit
		if r := Run(p, m, Options{}); r.Class == judge.Consistency {
			return
		}
	}
	t.Error("no seed shows it")
}
