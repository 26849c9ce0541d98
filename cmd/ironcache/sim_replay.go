package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/chaos/sweep"
)

// simReplayCommand runs a bundle.
type simReplayCommand struct {
	Bundle string `arg:"" help:"Folder that a sweep filed a failed seed in, as sim-failures/seed-17."`
	simTelling
	Raw bool `help:"Print also the lines that the trace is made of."`
}

// simTelling says what is printed of what happens in a run.
type simTelling struct {
	Log   bool   `help:"Print all that happens."`
	Until int64  `placeholder:"STEP" help:"Print what happens until this step, the number at the beginning of a line."`
	Node  *int   `placeholder:"N" help:"Print what happens to this node, or between it and others."`
	Grep  string `placeholder:"RE" help:"Print what happens that this regular expression matches."`
}

// Run runs the plan of the bundle and compares the trace.
func (c *simReplayCommand) Run(p *program) error {
	plan, about, err := sweep.ReadBundle(c.Bundle)
	if err != nil {
		return usageError{err}
	}
	out := bufio.NewWriter(p.out)
	defer out.Flush()
	watch, err := c.watch(out, plan.Nodes+plan.Spares)
	if err != nil {
		return err
	}
	b, err := nodeOf(about)
	if err != nil {
		return err
	}
	how := sweep.Playing{Watch: watch}
	if c.Raw {
		how.Tell = func(line string) { fmt.Fprintln(out, line) }
	}
	return withWorker(p, b, about.Origin, func(w sweep.Worker) error {
		r, err := w.Play(plan, how)
		if err != nil {
			return err
		}
		return compared(out, r, about)
	})
}

// compared tells what came of a run, and whether it is that of a bundle.
func compared(out io.Writer, r *sweep.Outcome, about *sweep.About) error {
	printResult(out, r)
	if r.Lost {
		return verdict(r.Class)
	}
	if r.Trace != about.Trace {
		return fmt.Errorf("the run went another way: trace %s after %d steps, and the bundle has %s", r.Trace, r.Steps, about.Trace)
	}
	after := ""
	if r.Steps > 0 { // they are not known of a run whose process was ended
		after = fmt.Sprintf(" after %d steps", r.Steps)
	}
	fmt.Fprintf(out, "identical to the run that was filed: trace %s%s, by a node with the hash %s\n", r.Trace, after, about.Module)
	return verdict(r.Class)
}

// watch gives what prints what happens, nil if nothing is wanted.
func (c *simTelling) watch(out *bufio.Writer, nodes int) (func(*play.Happening), error) {
	switch {
	case c.Until < 0:
		return nil, usageError{fmt.Errorf("until step %d: it must be 1 or more", c.Until)}
	case c.Node != nil && (*c.Node < 0 || *c.Node >= nodes):
		return nil, usageError{fmt.Errorf("node %d: nodes are 0 to %d", *c.Node, nodes-1)}
	case !c.Log && c.Until == 0 && c.Node == nil && c.Grep == "":
		return nil, nil
	}
	wanted, err := regexp.Compile(c.Grep)
	if err != nil {
		return nil, usageError{fmt.Errorf("--grep: %w", err)}
	}
	return func(h *play.Happening) {
		if c.Until > 0 && h.Step > c.Until || c.Node != nil && !h.Concerns(*c.Node) {
			return
		}
		if line := h.String(); wanted.MatchString(strings.TrimSpace(line)) {
			fmt.Fprintln(out, line)
		}
	}, nil
}
