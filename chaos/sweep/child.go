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

// Play runs a plan. That of a node that computes for ever is an outcome, too, and so is
// a process that ends by itself, which the system may have killed for want of memory:
// another one plays the plan once more, unless what happens was told already.
func (c *Child) Play(p *plan.Plan, how Playing) (*Outcome, error) {
	c.plan, c.stuck = p, nil
	o, err := c.play(how, c.crew.Patience)
	if err == nil && o.Lost && how.Watch == nil && how.Tell == nil {
		o, err = c.play(how, c.crew.Patience)
	}
	if err == nil && o.Class == judge.Stuck && c.process == nil {
		c.stuck = o
	}
	return o, err
}

func (c *Child) play(how Playing, patience time.Duration) (*Outcome, error) {
	if c.process == nil {
		p, err := c.crew.start()
		if err != nil {
			return nil, err
		}
		c.process, c.later = p, false
	}
	a, err := c.run(how, patience)
	if hung := (*hungError)(nil); errors.As(err, &hung) {
		return stuckOutcome(c.plan, hung.place, patience), nil
	}
	if ended := (*endedError)(nil); errors.As(err, &ended) {
		return lostOutcome(c.plan, ended), nil
	}
	if err != nil {
		return nil, fmt.Errorf("seed %d: %w", c.plan.Seed, err)
	}
	return a.Outcome, nil
}

// run has the process run the plan, once it has the version of the node that the plan
// needs.
func (c *Child) run(how Playing, patience time.Duration) (*answer, error) {
	if c.plan.Later() && !c.later {
		later, err := c.crew.Binary.Later()
		if err != nil {
			return nil, err
		}
		if _, err = c.ask(&order{Later: len(later.Bytes), Cache: c.crew.Cache, bytes: later.Bytes}, Playing{}, patience); err != nil {
			return nil, err
		}
		c.later = true
	}
	var text strings.Builder
	if err := c.plan.Write(&text); err != nil {
		return nil, err
	}
	return c.ask(&order{Plan: text.String(), Twice: how.Twice, Watch: how.Watch != nil, Tell: how.Tell != nil}, how, patience)
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

// errGone says that what is to be filed is gone with the worker.
var errGone = errors.New("sweep: the worker that ran the plan has ended: there is nothing to file")

// File files the plan that was run last. Of one that is stuck there is no more than
// the plan and what happened before, which another run tells; of one that is lost there
// is nothing.
func (c *Child) File(dir string) error {
	if c.stuck == nil && c.process == nil {
		return errGone
	}
	if c.stuck == nil {
		_, err := c.ask(&order{File: dir}, Playing{}, c.crew.Patience)
		return err
	}
	r, log := resultOf(c.plan, c.stuck), newLog()
	again, err := c.play(Playing{Watch: log.Add}, c.crew.Patience/10)
	if err == nil && again.Lost {
		err = errGone
	}
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
