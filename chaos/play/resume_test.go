package play

import (
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
)

// A pause ends when all is healed, however long it was to be: clients that ask a node
// that is in no cluster yet do not wait for it.
func TestPausesEndWithTheHealing(t *testing.T) {
	p := plan.Draw(1, plan.Options{Nodes: 3, Shards: 1, Faults: []string{}, Workload: "register"})
	p.Spares = 1
	p.Events = []fault.Event{{At: 5500, Fault: "pause", Node: 3, For: 14_000}}
	p.Heal, p.End = 6000, 16_000
	if r := Run(p, module(t), Options{}); r.Class != judge.OK || r.Checks["stuck"] == 0 {
		t.Errorf("%s: %v", r.Class, r.Findings)
	}
}
