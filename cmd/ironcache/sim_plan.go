package main

import (
	"bufio"
	"errors"
	"os"

	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/sweep"
)

// simPlanCommand runs a plan from a file, or prints one.
type simPlanCommand struct {
	File string  `arg:"" optional:"" help:"The plan: a line of JSON, then one for each fault."`
	Seed *uint64 `placeholder:"N" help:"Print the plan of a seed, to be changed by hand, and run nothing."`
	simOptions
	simTelling
	Mutant string `placeholder:"ID" help:"Run a node that is wrong on purpose, by its ID in the list."`
	Out    string `placeholder:"DIR" help:"File the run in this folder, with its page, as what fails is."`
}

// Run runs the plan.
func (c *simPlanCommand) Run(p *program) error {
	o, err := c.options()
	if err != nil {
		return err
	}
	if c.Seed != nil {
		return plan.Draw(*c.Seed, o).Write(p.out)
	}
	if c.File == "" {
		return usageError{errors.New("either a file or --seed must be given")}
	}
	f, err := os.Open(c.File)
	if err != nil {
		return usageError{err}
	}
	defer f.Close()
	read, err := plan.Read(f)
	if err != nil {
		return usageError{err}
	}
	out := bufio.NewWriter(p.out)
	defer out.Flush()
	watch, err := c.watch(out, read.Nodes+read.Spares)
	if err != nil {
		return err
	}
	b, err := simulated(c.Mutant)
	if err != nil {
		return err
	}
	return withWorker(p, b, sweep.Origin{Commit: commit(), Mutant: c.Mutant}, func(w sweep.Worker) error {
		r, err := w.Play(read, sweep.Playing{Watch: watch})
		if err != nil {
			return err
		}
		printResult(out, r)
		if c.Out != "" {
			if err := w.File(c.Out); err != nil {
				return err
			}
		}
		return verdict(r.Class)
	})
}
