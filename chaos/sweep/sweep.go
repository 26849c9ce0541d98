package sweep

import (
	"runtime"
	"slices"
	"sync"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/sim/wasm"
)

// Options say what is run.
type Options struct {
	From   uint64 // the first seed
	Seeds  int
	Plan   plan.Options
	Module *wasm.Module
	// Done, if set, is told of every seed as it ends, in no order, by one
	// goroutine at a time.
	Done func(r *play.Result, t *Table)
	// Failed, if set, is told of every seed that is not ok, from several
	// goroutines.
	Failed func(r *play.Result)
	// Stop, when it is closed, lets no further seed begin.
	Stop <-chan struct{}
}

// twice is of how many seeds one is run twice and compared: 2%.
const twice = 50

// Run runs the seeds and adds up what came of them.
func Run(o Options) *Table {
	t := newTable(o)
	seeds := make(chan uint64)
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for seed := range seeds {
				r := one(seed, &o)
				if r.Class != judge.OK && o.Failed != nil {
					o.Failed(r)
				}
				r.Evidence = nil // it is large
				mu.Lock()
				t.add(r)
				if o.Done != nil {
					o.Done(r, t)
				}
				mu.Unlock()
			}
		})
	}
	o.hand(seeds)
	workers.Wait()
	slices.SortFunc(t.Failures, func(a, b Failure) int {
		if a.Seed < b.Seed {
			return -1
		}
		return 1
	})
	return t
}

// hand hands out the seeds until all are, or until Stop.
func (o *Options) hand(seeds chan<- uint64) {
	defer close(seeds)
	for i := range uint64(o.Seeds) {
		select {
		case <-o.Stop:
			return
		default:
		}
		select {
		case seeds <- o.From + i:
		case <-o.Stop:
			return
		}
	}
}

// one runs a seed, some of them twice.
func one(seed uint64, o *Options) *play.Result {
	p := plan.Draw(seed, o.Plan)
	r := play.Run(p, o.Module, play.Options{})
	if seed%twice == 0 {
		again := play.Run(p, o.Module, play.Options{})
		r.Compare(again)
	}
	return r
}
