package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/chaos/sweep"
	"github.com/elares/ironcache/sim/wasm"
)

// simReplayCommand runs a bundle.
type simReplayCommand struct {
	Bundle string `arg:"" help:"Folder that a failed run was filed in."`
	Log    bool   `help:"Print all that happens."`
	Grep   string `help:"Print what happens with this text in it."`
}

// Run runs the plan of the bundle and compares the trace.
func (c *simReplayCommand) Run(p *program) error {
	plan, about, err := sweep.ReadBundle(c.Bundle)
	if err != nil {
		return usageError{err}
	}
	m, err := wasm.Open(context.Background(), ".")
	if err != nil {
		return err
	}
	if m.Hash != about.Module {
		return usageError{fmt.Errorf("the bundle is of a node with the hash %s, and this checkout makes one with %s: check out the commit that made the bundle", about.Module, m.Hash)}
	}
	out := bufio.NewWriter(p.out)
	defer out.Flush()
	r := play.Run(plan, m, play.Options{Tell: tellTo(out, c.Log, c.Grep)})
	printResult(out, r)
	if trace := fmt.Sprintf("%016x", r.Trace); trace != about.Trace {
		return fmt.Errorf("the run went another way: trace %s, and the bundle has %s", trace, about.Trace)
	}
	fmt.Fprintln(out, "identical to the run that was filed")
	return verdict(r.Class)
}

// tellTo gives what prints lines of a run, nil if none are wanted.
func tellTo(out *bufio.Writer, all bool, grep string) func(string) {
	if !all && grep == "" {
		return nil
	}
	return func(line string) {
		if strings.Contains(line, grep) {
			fmt.Fprintln(out, line)
		}
	}
}
