package mutants

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/sweep"
)

// Hunted is what came of a hunt.
type Hunted struct {
	// Seeds is how many it took until the node was noticed: the first on which it was,
	// counted from 1, however many ran at a time. 0: on none.
	Seeds int
	// Judge noticed: the one that was asked for, or TheRun. Empty: none.
	Judge string
	// Others counts the seeds before, on which only other judges noticed.
	Others int
	// Finding is what was noticed, or else the first that another judge found.
	Finding string
	CPU     float64 // seconds of processors that the runs took
	Stopped bool    // by Stop, before the node was noticed
}

const (
	// AnyJudge stands for all judges.
	AnyJudge = ""
	// TheRun stands for what is noticed while a plan runs, before a judge looks at it.
	TheRun = "run"
)

// Hunt sweeps from seed 0 on with the plans that a sweep with all faults draws, until a
// judge finds something. A node that goes on and on within one step is noticed whatever
// judge is asked for, and ends the hunt: a worker would be hung by many of the seeds
// behind, for a minute each. A seed that is lost is an error: nobody knows what judges
// would have found.
func Hunt(by string, o sweep.Options) (Hunted, error) {
	h := hunt{by: by, found: map[uint64]judge.Finding{}}
	told := o.Done
	o.Plan = drawn
	o.Done = func(s *sweep.Outcome, t *sweep.Table) error {
		return cmp.Or(told(s, t), h.done(s))
	}
	t, err := sweep.Run(o)
	r := h.end()
	r.CPU, r.Stopped = t.CPU, r.Seeds == 0 && t.Ran < t.Wanted
	return r, err
}

// drawn are the options of plans. A mutant has no later version.
var drawn = plan.Options{NoLater: true}

// hunt is one that is under way.
type hunt struct {
	by    string
	found map[uint64]judge.Finding // by seed: what ends the hunt, or else the first of it
}

// done takes what came of a seed. Seeds begin in their order, so that all below one that
// ends the hunt have begun.
func (h *hunt) done(o *sweep.Outcome) error {
	if o.Lost {
		return fmt.Errorf("mutants: seed %d: %s", o.Seed, o.Finding().Text)
	}
	if len(o.Findings) == 0 {
		return nil
	}
	at := slices.IndexFunc(o.Findings, h.asked)
	if at < 0 {
		at = slices.IndexFunc(o.Findings, stuck)
	}
	h.found[o.Seed] = o.Findings[max(0, at)]
	if at < 0 {
		return nil
	}
	return sweep.Enough
}

// asked tells whether the judge that was asked for has found something.
func (h *hunt) asked(f judge.Finding) bool { return h.by == AnyJudge || f.Judge == h.by }

func stuck(f judge.Finding) bool { return f.Class == judge.Stuck }

func (h *hunt) end() (r Hunted) {
	for _, seed := range slices.Sorted(maps.Keys(h.found)) {
		f := h.found[seed]
		text := f.Judge + ": " + f.Text
		if h.asked(f) || stuck(f) {
			r.Seeds, r.Judge, r.Finding = int(seed)+1, f.Judge, text
			return r
		}
		r.Others++
		r.Finding = cmp.Or(r.Finding, text)
	}
	return r
}
