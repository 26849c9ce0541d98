package play

import (
	"slices"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
)

// Where clocks run beyond the bound of leases, a leader with a fast one gives slots
// back too soon. The judges know that nothing else was promised, and would mind
// otherwise.
func TestClocksBeyondTheirBound(t *testing.T) {
	p := plan.Draw(1, plan.Options{Nodes: 3, Shards: 1, Faults: []string{}, Workload: "register"})
	for node := range 2 {
		p.Events = append(p.Events, fault.Event{At: 3000, Fault: "clock-drift-beyond", Node: node, For: 16_000, Amount: 400_000})
	}
	for at := int64(6000); at < 18_000; at += 4000 {
		p.Events = append(p.Events, fault.Event{At: at, Fault: "crash", Node: 2, For: 1})
	}
	p.Heal, p.End = 19_000, 20_000
	r := Run(p, module(t), Options{})
	if r.Class != judge.OK || r.Seen["clock-drift-beyond"] != 2 {
		t.Errorf("%s: %v; seen %v", r.Class, r.Findings, r.Seen)
	}
	r.Evidence.Voided = false
	_, found, _ := judge.All(r.Evidence)
	if !slices.ContainsFunc(found, func(f judge.Finding) bool { return f.Judge == "lease" }) {
		t.Errorf("without it: %v", found)
	}
}
