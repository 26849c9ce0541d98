package play

import (
	"fmt"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/linearize"
)

// Result is what came of a plan.
type Result struct {
	Plan     *plan.Plan
	Class    judge.Class
	Findings []judge.Finding
	Checks   map[string]int // by judge: those that could have failed
	Begun    map[string]int // by fault: how often it was asked for
	Seen     map[string]int // by fault: how often its effect was seen
	Marks    map[string]int // by mark: how often it was reached
	Trace    uint64         // equal only if the same things happened
	Steps    int64          // events of the trace
	Virtual  int64          // nanoseconds of the world
	Asked    int            // operations of clients
	Given    int            // of them, given up because nobody answered

	Evidence *judge.Evidence
}

// Summary is the first thing that was found, or that all is well.
func (r *Result) Summary() string {
	for _, f := range r.Findings {
		if f.Class == r.Class {
			return fmt.Sprintf("%s: %s", f.Judge, f.Text)
		}
	}
	return "ok"
}

// Compare looks whether a second run of the same plan went the same way.
func (r *Result) Compare(again *Result) {
	if again.Trace == r.Trace {
		return
	}
	r.Class = judge.Worse(r.Class, judge.NonDeterministic)
	r.Findings = append(r.Findings, judge.Finding{
		Judge: "run", Class: judge.NonDeterministic, Text: fmt.Sprintf("two runs have the traces %016x and %016x", r.Trace, again.Trace),
	})
}

// Report judges the history once more, for pictures.
func (r *Result) Report() (*linearize.Report, error) {
	return linearize.Check(r.Evidence.History, r.Evidence.Options)
}
