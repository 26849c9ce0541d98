package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/elares/ironcache/chaos/sweep"
	"github.com/elares/ironcache/sim/wasm"
)

// simShrinkCommand makes the plan of a bundle smaller.
type simShrinkCommand struct {
	Bundle string `arg:"" help:"Folder that a failed run was filed in."`
	Judge  string `help:"The judge that must go on to find something (the first that did)."`
	Salts  int    `default:"5" help:"Seeds that a smaller plan is tried with."`
}

// Run prints each step, and writes the smallest plan into the bundle.
func (c *simShrinkCommand) Run(p *program) error {
	plan, about, err := sweep.ReadBundle(c.Bundle)
	if err != nil {
		return usageError{err}
	}
	for _, f := range about.Findings {
		if c.Judge == "" && f.Class == about.Class {
			c.Judge = f.Judge
		}
	}
	m, err := wasm.Open(context.Background(), ".")
	if err != nil {
		return err
	}
	before := len(plan.Events)
	s := sweep.Shrinking{
		Plan: plan, Fails: sweep.FailsBy(c.Judge, m, c.Salts),
		Tell: func(what string) { fmt.Fprintln(p.out, what) },
	}
	if s.Fails(plan) == nil {
		return fmt.Errorf("judge %q finds nothing in this plan", c.Judge)
	}
	s.Shrink()
	name := filepath.Join(c.Bundle, "small.jsonl")
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := s.Plan.Write(f); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%d faults, of %d: ironcache sim plan %s\n", len(s.Plan.Events), before, name)
	return err
}
