package sweep

import (
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/sim/wasm"
)

// A Worker runs plans, one after the other. It belongs to one goroutine.
type Worker interface {
	// Play runs a plan. Its error is that of the worker, which has no outcome then.
	Play(p *plan.Plan, o Playing) (*Outcome, error)
	// File files the plan that was run last, with what happened, in a folder.
	File(dir string) error
	// Close ends the worker.
	Close()
}

// Playing says how a plan is run.
type Playing struct {
	Twice bool // run it twice and compare the traces
	// Watch and Tell, if set, are told of what happens: see play.Options.
	Watch func(h *play.Happening)
	Tell  func(line string)
}

// Local runs plans in this process, which hangs if a node computes for ever.
type Local struct {
	Module *wasm.Module
	Origin Origin
	Pulse  *wasm.Pulse    // if set, says where the run is
	Spent  func() float64 // if set, gives the processor time of the process, in seconds

	run  func(p *plan.Plan, o play.Options) *play.Result // nil: with the module
	last *play.Result
}

// Play runs a plan.
func (l *Local) Play(p *plan.Plan, o Playing) (*Outcome, error) {
	before := l.spent()
	l.last = l.play(p, play.Options{Watch: o.Watch, Tell: o.Tell})
	cpu := l.spent() - before
	if o.Twice {
		l.last.Compare(l.play(p, play.Options{}))
	}
	outcome := outcomeOf(l.last, cpu)
	outcome.Twice = o.Twice
	return outcome, nil
}

func (l *Local) play(p *plan.Plan, o play.Options) *play.Result {
	if l.run != nil {
		return l.run(p, o)
	}
	o.Pulse = l.Pulse
	return play.Run(p, l.Module, o)
}

func (l *Local) spent() float64 {
	if l.Spent == nil {
		return 0
	}
	return l.Spent()
}

// File files the plan that was run last. It runs it once more, for the log; a run
// that goes another way then is filed as one that does.
func (l *Local) File(dir string) error {
	log := newLog()
	l.last.Compare(l.play(l.last.Plan, play.Options{Watch: log.Add}))
	return file(dir, l.last, About{Module: l.Module.Hash, Origin: l.Origin}, log)
}

// Close has nothing to end.
func (l *Local) Close() {}
