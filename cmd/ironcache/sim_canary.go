package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/mutants"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/sweep"
	"github.com/elares/ironcache/sim/wasm"
)

// simCanaryCommand sweeps with a node that is wrong in some seeds.
type simCanaryCommand struct {
	Seeds int    `default:"500" help:"How many seeds (500)."`
	From  uint64 `placeholder:"N" help:"The first seed (0)."`
	simOptions
	Jobs int `placeholder:"N" help:"Seeds that run at a time (as many as there are cores)."`
	Odds int `default:"10000" placeholder:"N" help:"Of how many SETs the node forgets one (10000, which fails about one seed in a hundred)."`
}

// Run sweeps, and fails unless some seeds failed and most did not, and all that
// failed is told of and filed.
func (c *simCanaryCommand) Run(p *program) error {
	o, err := c.options()
	run := simRunCommand{Seeds: c.Seeds, From: c.From, simOptions: c.simOptions, Jobs: c.Jobs}
	if err == nil {
		err = run.check()
	}
	if err != nil {
		return err
	}
	if c.Odds < 1 {
		return usageError{fmt.Errorf("one SET in %d: it must be 1 or more", c.Odds)}
	}
	text, err := mutants.Canary(c.Odds).Build(context.Background(), ".")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "ironcache-canary-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	run.Out = dir
	table, err := run.sweep(p, wasm.NewBinary(text), o, newProgress(p.err, c.Seeds))
	if table == nil {
		return err
	}
	table.Print(p.out)
	return c.judge(p, table, dir, err)
}

// options are those of plans in which the canary is noticed. There is one version of
// it alone.
func (c *simCanaryCommand) options() (plan.Options, error) {
	o, err := c.simOptions.options()
	if o.Workload == "" {
		o.Workload = "register"
	}
	o.NoLater = true
	return o, err
}

// judge looks whether a sweep has told of what it should. Nothing of one that was
// interrupted is kept.
func (c *simCanaryCommand) judge(p *program, t *sweep.Table, dir string, err error) error {
	failed := len(t.Failures)
	switch {
	case err != nil:
		return err
	case t.Ran < t.Wanted:
		return simError{fmt.Sprintf("interrupted after %d of %d seeds: a canary keeps nothing and cannot go on", t.Ran, t.Wanted), exitInterrupted}
	case t.Class() != judge.OK && t.Class() != judge.Consistency:
		return fmt.Errorf("the sweep says %v of a node that forgets what it was told", verdict(t.Class()))
	case failed == 0 || failed > t.Ran/2:
		return fmt.Errorf("%d of %d seeds failed: it must be some, and not most", failed, t.Ran)
	}
	for i, f := range t.Failures {
		name := filepath.Join(dir, fmt.Sprintf("seed-%d", f.Seed), "about.json")
		if _, err := os.Stat(name); err != nil && i < mostFiled {
			return fmt.Errorf("seed %d failed and is not filed: %w", f.Seed, err)
		}
	}
	_, err = fmt.Fprintf(p.out, "the sweep told of %d of %d seeds, as it must: the node forgets one SET in %d\n", failed, t.Ran, c.Odds)
	return err
}
