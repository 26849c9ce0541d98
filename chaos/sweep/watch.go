package sweep

import (
	"fmt"
	"hash/fnv"
	"time"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/sim/wasm"
)

// watch looks whether a worker comes to the end of the steps of its nodes.
type watch struct {
	pulse    *wasm.Pulse
	cpu      func() (time.Duration, error) // processor time of the worker
	patience time.Duration

	place place
	timed bool          // since is known
	since time.Duration // processor time of the worker when it was first seen in the step
}

type place = wasm.Place

// stuck tells, when it is asked now and then, whether the worker has used up the
// patience within one step.
func (w *watch) stuck() bool {
	before := w.place
	if w.place = w.pulse.Place(); !w.place.Within() || w.place.Turns != before.Turns {
		w.timed = false
		return false
	}
	cpu, err := w.cpu()
	if err != nil {
		return false // the next time it may be known
	}
	if !w.timed {
		w.timed, w.since = true, cpu
	}
	return cpu-w.since >= w.patience
}

// stuckOutcome is that of a plan whose run came to a place and no further. The place
// stands for its trace.
func stuckOutcome(p *plan.Plan, at place, patience time.Duration) *Outcome {
	trace := fnv.New64a()
	fmt.Fprint(trace, at.Turns, at.Node, at.Life, at.At)
	return &Outcome{
		Seed: p.Seed, Class: judge.Stuck, Trace: fmt.Sprintf("%016x", trace.Sum64()), CPU: patience.Seconds(), Virtual: float64(at.At) / 1e9,
		Begun: map[string]int{}, Seen: map[string]int{}, Checks: map[string]int{},
		Findings: []judge.Finding{{Judge: "run", Class: judge.Stuck, Text: fmt.Sprintf(
			"%s and does not wait: that step took %g s of processor time, and its worker was ended", at, patience.Seconds())}},
	}
}
