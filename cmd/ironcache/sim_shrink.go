package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/sweep"
	"github.com/elares/ironcache/sim/wasm"
)

// simShrinkCommand makes the plan of a bundle smaller.
type simShrinkCommand struct {
	Bundle string `arg:"" help:"Folder that a sweep filed a failed seed in, as sim-failures/seed-17."`
	Judge  string `placeholder:"NAME" help:"The judge that must go on to find something (the first that did)."`
	Salts  int    `default:"20" help:"By how many draws of chance a smaller plan is tried (20)."`
	Budget budget `default:"10m" placeholder:"TIME" help:"How long it may take, as 90s or 10m, or how many runs, as 500runs (10m)."`
	Jobs   int    `placeholder:"N" help:"Runs at a time (as many as there are cores)."`
}

// budget is a time, or a number of runs.
type budget struct {
	time time.Duration
	runs int
}

// UnmarshalText reads 90s, 10m or 500runs; a bare number is seconds.
func (b *budget) UnmarshalText(text []byte) (err error) {
	number, runs := strings.CutSuffix(string(text), "runs")
	switch seconds, bare := strconv.Atoi(number); {
	case runs:
		b.runs, err = strconv.Atoi(number)
	case bare == nil:
		b.time = time.Duration(seconds) * time.Second
	default:
		b.time, err = time.ParseDuration(number)
	}
	if err != nil || b.time <= 0 && b.runs <= 0 {
		return fmt.Errorf("%q: it must be a time, as 90s or 10m, or a number of runs, as 500runs", text)
	}
	return nil
}

// Run prints each step, and files the smallest plan in a bundle of its own inside
// the bundle.
func (c *simShrinkCommand) Run(p *program) error {
	plan, about, err := sweep.ReadBundle(c.Bundle)
	if err != nil {
		return usageError{err}
	}
	found, err := c.finding(about)
	if err != nil {
		return err
	}
	if c.Salts < 1 || c.Jobs < 0 || c.Jobs > mostJobs {
		return usageError{fmt.Errorf("%d salts, %d jobs: salts must be 1 or more, jobs 0 to %d", c.Salts, c.Jobs, mostJobs)}
	}
	b, err := nodeOf(about)
	if err != nil {
		return err
	}
	stop, release := interrupted(func() {
		fmt.Fprintln(p.err, "the runs that are under way are finished; interrupt once more to end at once")
	})
	defer release()
	before := sweep.Size(plan)
	fmt.Fprintf(p.out, "judge %s, class %s: %s\n", found.Judge, found.Class, before)
	s := sweep.Shrinking{
		Plan: plan, Salts: c.Salts, Jobs: c.Jobs,
		MostRuns: c.Budget.runs, MostTime: c.Budget.time, Stop: stop,
		Tell: func(step sweep.Step) { fmt.Fprintln(p.out, step) },
	}
	failed, err := c.shrink(p, &s, found, b, about.Origin)
	if err != nil {
		return err
	}
	if !failed {
		return fmt.Errorf("judge %q finds nothing of class %s in this plan, by %d salts", found.Judge, found.Class, s.Salts)
	}
	_, err = io.WriteString(p.out, c.summary(before, &s))
	return err
}

// summary says how much smaller the plan became, at what cost, and where it is.
func (c *simShrinkCommand) summary(before string, s *sweep.Shrinking) string {
	dir := c.small()
	return fmt.Sprintf("before: %s\nafter:  %s\ncost:   %s\nplan:   %s\npage:   %s\n", before, sweep.Size(s.Plan),
		s.Used(), filepath.Join(dir, "plan.jsonl"), filepath.Join(dir, "page.html"))
}

// small is the folder for what is left.
func (c *simShrinkCommand) small() string { return filepath.Join(c.Bundle, "small") }

// shrink makes the plan smaller and files what is left, if it failed at all.
func (c *simShrinkCommand) shrink(p *program, s *sweep.Shrinking, found *judge.Finding, b *wasm.Binary, o sweep.Origin) (failed bool, err error) {
	workers := crew(p, b, o)
	defer workers.Close()
	h := &sweep.Hunters{Judge: found.Judge, Class: found.Class, Worker: workers.Worker}
	s.Fails = h.Fails
	failed = s.Shrink()
	if err := h.Close(); err != nil || !failed {
		return failed, err
	}
	if err := os.RemoveAll(c.small()); err != nil {
		return true, err
	}
	w := workers.Worker()
	defer w.Close()
	if _, err := w.Play(s.Plan, sweep.Playing{}); err != nil {
		return true, err
	}
	return true, w.File(c.small())
}

// finding is that which must be found again.
func (c *simShrinkCommand) finding(about *sweep.About) (*judge.Finding, error) {
	for i := range about.Findings {
		if f := &about.Findings[i]; f.Judge == c.Judge || c.Judge == "" && f.Class == about.Class {
			return f, nil
		}
	}
	if c.Judge == "" {
		return nil, usageError{fmt.Errorf("in bundle %s no judge found anything", c.Bundle)}
	}
	return nil, usageError{fmt.Errorf("judge %q found nothing in bundle %s", c.Judge, c.Bundle)}
}
