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
	o := cutShort(p, judge.Stuck, fmt.Sprintf("%s and does not wait: that step took %g s of processor time, and its worker was ended", at, patience.Seconds()))
	trace := fnv.New64a()
	fmt.Fprint(trace, at.Turns, at.Node, at.Life, at.At)
	o.Trace, o.CPU, o.Virtual = fmt.Sprintf("%016x", trace.Sum64()), patience.Seconds(), float64(at.At)/1e9
	return o
}

// lostOutcome is that of a plan whose worker has ended by itself. It has no trace.
func lostOutcome(p *plan.Plan, e *endedError) *Outcome {
	text := fmt.Sprintf("the process that ran the seed has ended by itself: %v", e.state)
	if e.place.Within() {
		text += fmt.Sprintf(", within a step: %s", e.place)
	}
	o := cutShort(p, judge.Unknown, text)
	o.Lost = true
	return o
}

// cutShort is the outcome of a run that did not come to its end.
func cutShort(p *plan.Plan, class judge.Class, text string) *Outcome {
	return &Outcome{
		Seed: p.Seed, Class: class, Begun: map[string]int{}, Seen: map[string]int{}, Checks: map[string]int{},
		Findings: []judge.Finding{{Judge: "run", Class: class, Text: text}},
	}
}
