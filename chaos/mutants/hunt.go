package mutants

import (
	"sync"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/sim/wasm"
)

// Options say how a mutant is hunted: with the plans that a sweep with all faults
// draws.
type Options struct {
	Seeds   int // the most; the first is 0
	Workers int // that run seeds side by side
	// Done, if set, is told how many seeds have ended, by one goroutine at a time.
	Done func(seeds int)
	// Stop, when it is closed, lets no further seed begin.
	Stop <-chan struct{}
}

// Hunted is what came of a hunt.
type Hunted struct {
	// Seeds is how many it took until the judge noticed: the first on which it did,
	// counted from 1, however many workers there were. 0: on none.
	Seeds int
	// Others counts the seeds before, on which only other judges noticed.
	Others int
	// Finding is what the judge said, or else the first that another one did.
	Finding string
	Stopped bool // by Stop, before the judge noticed
}

// AnyJudge stands for all judges.
const AnyJudge = ""

// Hunt runs seeds with a node until a judge finds something.
func Hunt(node *wasm.Module, judge string, o Options) Hunted {
	return hunted(judge, o, func(seed uint64) []judged {
		return play.Run(plan.Draw(seed, drawn), node, play.Options{}).Findings
	})
}

// drawn are the options of plans. A mutant has no later version.
var drawn = plan.Options{NoLater: true}

type judged = judge.Finding

func hunted(judge string, o Options, run func(seed uint64) []judged) Hunted {
	h := hunt{options: o, judge: judge, found: o.Seeds, others: map[int]string{}}
	var workers sync.WaitGroup
	for range max(1, o.Workers) {
		workers.Go(func() {
			for seed, any := h.take(); any; seed, any = h.take() {
				h.judged(seed, run(uint64(seed)))
			}
		})
	}
	workers.Wait()
	return h.end()
}

// hunt is one that is under way. Seeds are handed out in their order, so that
// all below the first one found have begun.
type hunt struct {
	options Options
	judge   string

	mu      sync.Mutex
	next    int
	done    int
	found   int // the lowest seed on which the judge noticed; Options.Seeds: none
	finding string
	others  map[int]string // by seed: what other judges said
	stopped bool
}

// take gives the next seed that may matter.
func (h *hunt) take() (seed int, any bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.options.Stop:
		h.stopped = true
	default:
	}
	if h.stopped || h.next >= h.found {
		return 0, false
	}
	h.next++
	return h.next - 1, true
}

// judged takes what was found on a seed.
func (h *hunt) judged(seed int, findings []judged) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range findings {
		text := f.Judge + ": " + f.Text
		if h.judge != AnyJudge && f.Judge != h.judge {
			if _, known := h.others[seed]; !known {
				h.others[seed] = text
			}
			continue
		}
		if seed < h.found {
			h.found, h.finding = seed, text
		}
		break
	}
	h.done++
	if h.options.Done != nil {
		h.options.Done(h.done)
	}
}

func (h *hunt) end() (r Hunted) {
	first := h.options.Seeds
	for seed, text := range h.others {
		if seed < h.found {
			r.Others++
		}
		if seed < first {
			first, r.Finding = seed, text
		}
	}
	if h.found < h.options.Seeds {
		r.Seeds, r.Finding = h.found+1, h.finding
		return r
	}
	r.Stopped = h.stopped
	return r
}
