package sweep

import (
	"fmt"
	"slices"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/sim/wasm"
)

// Shrinking makes a plan smaller while it goes on to fail: it leaves out faults,
// shortens those that last, and leaves out clients.
type Shrinking struct {
	Plan *plan.Plan
	// Fails gives the plan as it fails: a small plan may need other draws, and so
	// another seed, than that which it came from. nil: it does not fail.
	Fails func(*plan.Plan) *plan.Plan
	Tell  func(what string) // of every step that was made
}

// Shrink makes the plan as small as it gets.
func (s *Shrinking) Shrink() {
	for size := len(s.Plan.Events); size > 0; size /= 2 {
		for at := 0; at < len(s.Plan.Events); {
			end := min(at+size, len(s.Plan.Events))
			what := fmt.Sprintf("without %s", names(s.Plan.Events[at:end]))
			if !s.try(what, func(p *plan.Plan) { p.Events = slices.Delete(p.Events, at, end) }) {
				at = end
			}
		}
	}
	for i := range s.Plan.Events {
		for s.Plan.Events[i].For > 1 {
			shorter := s.Plan.Events[i].For / 2
			if !s.try(fmt.Sprintf("%s for %d ms", s.Plan.Events[i].Fault, shorter), func(p *plan.Plan) { p.Events[i].For = shorter }) {
				break
			}
		}
	}
	for s.Plan.Clients > 1 {
		fewer := s.Plan.Clients / 2
		if !s.try(fmt.Sprintf("%d clients", fewer), func(p *plan.Plan) { p.Clients = fewer }) {
			break
		}
	}
}

// try changes a copy of the plan and keeps it if it fails.
func (s *Shrinking) try(what string, change func(p *plan.Plan)) bool {
	p := *s.Plan
	p.Events = slices.Clone(p.Events)
	change(&p)
	failing := s.Fails(&p)
	if failing != nil {
		s.Plan = failing
		s.Tell(what)
	}
	return failing != nil
}

func names(events []fault.Event) (list []string) {
	for _, e := range events {
		list = append(list, fmt.Sprintf("%s at %d", e.Fault, e.At))
	}
	return list
}

// FailsBy gives a Fails that runs a plan by some seeds, its own first, until a judge
// finds something.
func FailsBy(judge string, m *wasm.Module, seeds int) func(*plan.Plan) *plan.Plan {
	return func(p *plan.Plan) *plan.Plan {
		for salt := range uint64(seeds) {
			salted := *p
			salted.Seed = p.Seed + salt<<32
			r := play.Run(&salted, m, play.Options{})
			for _, f := range r.Findings {
				if f.Judge == judge {
					return &salted
				}
			}
		}
		return nil
	}
}
