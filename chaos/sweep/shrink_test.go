package sweep

import (
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/plan"
)

// What is left is what the failure needs: here a pause of 700 ms or more and a
// crash, with two clients.
func TestShrink(t *testing.T) {
	p := plan.Draw(1, plan.Options{Clients: 16, Faults: []string{}})
	for i := range int64(len(fault.Table)) {
		name := fault.Table[i].Name
		p.Events = append(p.Events, fault.Event{At: 3000 + i, Fault: name, For: 5000})
	}
	steps := 0
	s := Shrinking{Plan: p, Tell: func(string) { steps++ }, Fails: func(p *plan.Plan) *plan.Plan {
		paused, crashed := false, false
		for _, e := range p.Events {
			paused = paused || e.Fault == "pause" && e.For >= 700
			crashed = crashed || e.Fault == "crash"
		}
		if !paused || !crashed || p.Clients < 2 {
			return nil
		}
		other := *p
		other.Seed++
		return &other
	}}
	s.Shrink()
	if got := s.Plan; len(got.Events) != 2 || got.Clients != 2 || steps != int(got.Seed-p.Seed) || len(p.Events) != len(fault.Table) {
		t.Errorf("%d steps led to %+v", steps, got)
	}
	for _, e := range s.Plan.Events {
		if e.Fault == "pause" && e.For != 1250 {
			t.Errorf("the pause lasts %d ms", e.For)
		}
	}
}
