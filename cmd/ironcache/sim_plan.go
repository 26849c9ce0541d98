package main

import (
	"bufio"
	"context"
	"errors"
	"os"

	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/sim/wasm"
)

// simPlanCommand runs a plan from a file, or prints one.
type simPlanCommand struct {
	File string  `arg:"" optional:"" help:"The plan: a line of JSON, then one for each fault."`
	Seed *uint64 `placeholder:"N" help:"Print the plan of a seed, to be changed by hand, and run nothing."`
	simOptions
	Log  bool   `help:"Print all that happens."`
	Grep string `help:"Print what happens with this text in it."`
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
	m, err := wasm.Open(context.Background(), ".")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.out)
	defer out.Flush()
	r := play.Run(read, m, play.Options{Tell: tellTo(out, c.Log, c.Grep)})
	printResult(out, r)
	return verdict(r.Class)
}
