package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
)

// Options say what is run.
type Options struct {
	From  uint64 // the first seed
	Seeds int
	Plan  plan.Options
	// Worker gives a worker, which is closed in the end. Each seed that runs has one.
	Worker func() Worker
	// Jobs is how many seeds run at a time; 0: as many as there are cores.
	Jobs int
	// Journal, if set, has what ended earlier, which is not run again, and keeps what
	// ends.
	Journal *Journal
	// Done, if set, is told of every seed as it ends, in no order, by one goroutine
	// at a time; first of those that the journal has. Its error ends the sweep, and so
	// does Enough.
	Done func(o *Outcome, t *Table) error
	// Failed, if set, is told of every seed that is not ok before Done is, from
	// several goroutines, with what files it in a folder. Of one that is lost there is
	// nothing to file.
	Failed func(o *Outcome, file func(dir string) error)
	// Stop, when it is closed, lets no further seed begin.
	Stop <-chan struct{}
}

// Enough is what Done says when no further seed need begin. It is not the error of a
// sweep.
var Enough = errors.New("sweep: enough")

// twice is of how many seeds one is run twice and compared: 2%.
const twice = 50

// running is a sweep that is under way.
type running struct {
	Options
	known map[uint64]*Outcome // what the journal has

	mu    sync.Mutex
	table *Table
	stop  chan struct{} // is closed when no further seed may begin
	ended bool          // it is closed
	err   error         // why
}

// Run runs the seeds and adds up what came of them. It ends before all have run when
// it is stopped, and with an error when the journal cannot be written, or a worker or
// Done fails.
func Run(o Options) (*Table, error) {
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	r := &running{Options: o, known: map[uint64]*Outcome{}, table: newTable(o), stop: make(chan struct{})}
	if err := r.recall(); err != nil {
		return r.table, err
	}
	seeds := make(chan uint64)
	var workers sync.WaitGroup
	for range o.Jobs {
		workers.Go(func() {
			w := o.Worker()
			defer w.Close()
			for seed := range seeds {
				r.run(w, seed)
			}
		})
	}
	r.hand(seeds)
	workers.Wait()
	r.table.sort()
	return r.table, r.err
}

// recall takes over what the journal has of the seeds. Two outcomes of one seed are
// compared.
func (r *running) recall() error {
	if r.Journal == nil {
		return nil
	}
	return r.Journal.Each(func(o *Outcome) {
		if o.Seed < r.From || o.Seed-r.From >= uint64(r.Seeds) {
			return
		}
		if known := r.known[o.Seed]; known != nil {
			r.table.compare(known, o)
			return
		}
		r.known[o.Seed] = &Outcome{Seed: o.Seed, Class: o.Class, Trace: o.Trace}
		r.table.Kept++
		r.done(o)
	})
}

// hand hands out the seeds until all are, or until Stop.
func (r *running) hand(seeds chan<- uint64) {
	defer close(seeds)
	for i := range uint64(r.Seeds) {
		if r.known[r.From+i] != nil {
			continue
		}
		select { // whatever else could go on
		case <-r.Stop:
			return
		case <-r.stop:
			return
		default:
		}
		select {
		case seeds <- r.From + i:
		case <-r.Stop:
			return
		case <-r.stop:
			return
		}
	}
}

// run runs a seed, some of them twice, and keeps what came of it.
func (r *running) run(w Worker, seed uint64) {
	o, err := w.Play(plan.Draw(seed, r.Plan), Playing{Twice: seed%twice == 0})
	known := err == nil && !o.Lost
	if known && o.Class != judge.OK && r.Failed != nil {
		r.Failed(o, w.File)
	}
	if known && r.Journal != nil {
		err = r.Journal.Add(o)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.end(err)
		return
	}
	r.done(o)
}

// end lets no further seed begin. The caller holds the lock.
func (r *running) end(err error) {
	if err != Enough {
		r.err = cmp.Or(r.err, err)
	}
	if !r.ended {
		r.ended = true
		close(r.stop)
	}
}

// done adds an outcome to the table. The caller holds the lock, or is alone.
func (r *running) done(o *Outcome) {
	r.table.add(o)
	if r.Done == nil {
		return
	}
	if err := r.Done(o, r.table); err != nil {
		r.end(err)
	}
}

// disagree is what two outcomes of one seed say of it.
func disagree(a, b *Outcome) judge.Finding {
	return judge.Finding{Judge: "run", Class: judge.NonDeterministic, Text: fmt.Sprintf("two runs have the traces %s and %s", a.Trace, b.Trace)}
}
