package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/sweep"
)

// simCompareCommand compares two sweeps.
type simCompareCommand struct {
	First  string `arg:"" help:"Folder that a sweep was given with --out."`
	Second string `arg:"" help:"Another one."`
}

// Run compares the traces of the seeds that both sweeps have run.
func (c *simCompareCommand) Run(p *program) error {
	first, err := c.read(c.First)
	if err != nil {
		return err
	}
	second, err := c.read(c.Second)
	if err != nil {
		return err
	}
	if first.of != second.of {
		return usageError{fmt.Errorf("%s is a sweep of %s, and %s one of %s: they cannot be compared", c.First, first.of, c.Second, second.of)}
	}
	both, differ := 0, 0
	for _, seed := range slices.Sorted(maps.Keys(first.traces)) {
		other, ok := second.traces[seed]
		if !ok {
			continue
		}
		both++
		if trace := first.traces[seed]; trace != other {
			differ++
			fmt.Fprintf(p.out, "seed %d: trace %s in %s, %s in %s\n", seed, trace, c.First, other, c.Second)
		}
	}
	fmt.Fprintf(p.out, "%d seeds are in both, %d of them with different traces\n", both, differ)
	switch {
	case differ > 0:
		return verdict(judge.NonDeterministic)
	case both == 0:
		return usageError{fmt.Errorf("no seed is in both")}
	}
	return nil
}

// traces is what a sweep is of, and the traces of its seeds.
type traces struct {
	of     string
	traces map[uint64]string
}

func (*simCompareCommand) read(dir string) (*traces, error) {
	t := &traces{traces: map[uint64]string{}}
	of, err := sweep.ReadJournal(dir, func(o *sweep.Outcome) { t.traces[o.Seed] = o.Trace })
	if err != nil {
		return nil, usageError{err}
	}
	t.of = fmt.Sprintf("node %.12s with options %q", of.Module, of.Options.Flags())
	return t, nil
}
