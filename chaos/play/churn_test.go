package play

import (
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
)

// A node that is in no cluster joins, leaves and begins anew, and does so again, one time
// after the other where they would overlap, also when the member that it asks first is
// down.
func TestChurn(t *testing.T) {
	p := plan.Draw(1, plan.Options{Nodes: 3, Shards: 1, Faults: []string{}, Workload: "register"})
	p.Spares, p.Heal, p.End = 1, 24_000, 26_000
	p.Events = []fault.Event{
		{At: 3000, Fault: "churn", Node: 0, For: 3000}, {At: 4000, Fault: "churn", Node: 1, For: 6000},
		{At: 8000, Fault: "crash", Node: 1, For: 3000}, {At: 14_000, Fault: "churn", Node: 2, For: 1000},
	}
	r := Run(p, module(t), Options{})
	if r.Class != judge.OK || r.Seen["churn"] != 3 {
		t.Errorf("%s: %v; seen %v", r.Class, r.Findings, r.Seen)
	}
}
