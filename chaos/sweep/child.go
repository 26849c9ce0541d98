package sweep

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/chaos/report"
	"github.com/elares/ironcache/linearize"
)

// Child is a worker that is a process of its own: another one after a plan that has
// hung it.
type Child struct {
	crew    *Crew
	process *process // nil: none runs
	later   bool     // it knows the node's later version

	plan  *plan.Plan // that was run last
	stuck *Outcome   // of it, if it was stuck
}

// Play runs a plan. That of a node that computes for ever is an outcome, too.
func (c *Child) Play(p *plan.Plan, how Playing) (*Outcome, error) {
	c.plan, c.stuck = p, nil
	o, err := c.play(how, c.crew.Patience)
	if err == nil && o.Class == judge.Stuck && c.process == nil {
		c.stuck = o
	}
	return o, err
}

func (c *Child) play(how Playing, patience time.Duration) (*Outcome, error) {
	if err := c.ready(); err != nil {
		return nil, err
	}
	var text strings.Builder
	if err := c.plan.Write(&text); err != nil {
		return nil, err
	}
	a, err := c.ask(&order{Plan: text.String(), Twice: how.Twice, Watch: how.Watch != nil, Tell: how.Tell != nil}, how, patience)
	if hung := (*hungError)(nil); errors.As(err, &hung) {
		return stuckOutcome(c.plan, hung.place, patience), nil
	}
	if err != nil {
		return nil, fmt.Errorf("seed %d: %w", c.plan.Seed, err)
	}
	return a.Outcome, nil
}

// ready has a process run that has what the plan needs.
func (c *Child) ready() (err error) {
	if c.process == nil {
		if c.process, err = c.crew.start(); err != nil {
			return err
		}
		c.later = false
	}
	if c.later || !c.plan.Later() {
		return nil
	}
	later, err := c.crew.Binary.Later()
	if err != nil {
		return err
	}
	_, err = c.ask(&order{Later: len(later.Bytes), Cache: c.crew.cache, bytes: later.Bytes}, Playing{}, c.crew.Patience)
	c.later = err == nil
	return err
}

// ask gives an order to the process, which has ended if that fails.
func (c *Child) ask(o *order, how Playing, patience time.Duration) (*answer, error) {
	a, err := c.process.ask(o, how, patience)
	if err != nil {
		c.process.end(how)
		c.process = nil
	}
	return a, err
}

// File files the plan that was run last. Of one that is stuck there is no more than
// the plan and what happened before, which another run tells.
func (c *Child) File(dir string) error {
	if c.stuck == nil {
		_, err := c.ask(&order{File: dir}, Playing{}, c.crew.Patience)
		return err
	}
	r, log := resultOf(c.plan, c.stuck), newLog()
	again, err := c.play(Playing{Watch: log.Add}, c.crew.Patience/10)
	if err != nil {
		return err
	}
	r.Compare(resultOf(c.plan, again))
	return file(dir, r, About{Module: c.crew.Binary.Hash, Origin: c.crew.Origin}, log)
}

// resultOf is what is known of a run by its outcome.
func resultOf(p *plan.Plan, o *Outcome) *play.Result {
	trace, _ := strconv.ParseUint(o.Trace, 16, 64)
	return &play.Result{
		Plan: p, Class: o.Class, Findings: o.Findings, Trace: trace, Virtual: int64(o.Virtual * 1e9),
		Evidence: &judge.Evidence{History: &linearize.History{}, Healed: p.Heal * 1e6},
	}
}

func newLog() *report.Log { return &report.Log{} }

// Close ends the process.
func (c *Child) Close() {
	if c.process != nil {
		c.process.end(Playing{})
		c.process = nil
	}
}
