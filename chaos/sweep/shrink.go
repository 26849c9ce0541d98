package sweep

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
)

// Shrinking makes a plan smaller while it goes on to fail: it leaves out faults,
// nodes and clients, and makes what is left shorter (delta debugging: Zeller and
// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
//
// A smaller plan draws other things, so that what fails is hidden by chance now and
// then. Each is run by several salts, and one that fails is enough.
type Shrinking struct {
	Plan *plan.Plan // the smallest so far
	// Fails runs a plan once and tells whether it fails. It is called by several
	// goroutines.
	Fails func(*plan.Plan) bool
	Salts int // of each plan
	Jobs  int // runs at a time; 0: one for each core
	Tell  func(s Step)
	// What may be used up; 0: no bound.
	MostRuns int
	MostTime time.Duration
	// Stop, when it is closed, lets no further run begin.
	Stop <-chan struct{}

	Runs  int // that there have been
	began time.Time
	whole bool // it came to its end
}

// Used says what was used up, and whether that was all there was.
func (s *Shrinking) Used() string {
	text := fmt.Sprintf("%s in %.1f s", count(s.Runs, "run"), time.Since(s.began).Seconds())
	if !s.whole {
		text += "; the budget was used up or it was stopped, and it may get smaller still"
	}
	return text
}

// Step is a step that was made: what was left out, and what it had cost by then.
type Step struct {
	What  string
	Plan  *plan.Plan // that is left
	Runs  int
	Spent time.Duration
}

// String is a step as a line.
func (s Step) String() string {
	return fmt.Sprintf("%4d runs %6.1f s  %s; left: %s, salt %d", s.Runs, s.Spent.Seconds(), s.What, Size(s.Plan), s.Plan.Salt)
}

// Size says how large a plan is.
func Size(p *plan.Plan) string {
	return fmt.Sprintf("%s, %s, %s, %s, %.1f s", count(len(p.Events), "fault"), count(p.Nodes+p.Spares, "node"), count(p.Clients, "client"),
		count(p.KeysAtOnce(), "key"), float64(p.End)/1e3)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Shrink makes the plan as small as it gets, and tells whether it failed at all: if
// not, it stays as it was.
func (s *Shrinking) Shrink() bool {
	s.began = time.Now()
	if s.Jobs == 0 {
		s.Jobs = runtime.GOMAXPROCS(0)
	}
	failing := s.salted(s.Plan)
	if failing == nil {
		return false
	}
	s.Plan = failing
	for first := true; s.all(fewer) || first; first = false {
		s.all(shorter)
	}
	s.whole = !s.over()
	return true
}

// all goes through some passes, and tells whether one of them made the plan smaller.
func (s *Shrinking) all(passes []func(*Shrinking) bool) (any bool) {
	for _, pass := range passes {
		any = pass(s) || any
	}
	return any
}

// over tells whether no further run may begin.
func (s *Shrinking) over() bool {
	select {
	case <-s.Stop:
		return true
	default:
	}
	return s.MostRuns > 0 && s.Runs >= s.MostRuns || s.MostTime > 0 && time.Since(s.began) >= s.MostTime
}

// try changes a copy of the plan and keeps it if it makes sense and fails.
func (s *Shrinking) try(change func(p *plan.Plan) (what string)) bool {
	p := s.Plan.Clone()
	what := change(p)
	if p.Validate() != nil || s.over() {
		return false
	}
	failing := s.salted(p)
	if failing == nil {
		return false
	}
	s.Plan = failing
	s.Tell(Step{what, failing, s.Runs, time.Since(s.began)})
	return true
}

// salted runs a plan by its own salt, then by others, and gives it with the first
// that it fails with; nil: with none. Which that is does not depend on how many runs
// there are at a time.
func (s *Shrinking) salted(p *plan.Plan) *plan.Plan {
	salts := []uint64{p.Salt}
	for salt := uint64(0); len(salts) < max(1, s.Salts); salt++ {
		if salt != p.Salt {
			salts = append(salts, salt)
		}
	}
	for at := 0; at < len(salts) && !s.over(); at += s.Jobs {
		if failing := s.batch(p, salts[at:min(at+s.Jobs, len(salts))]); failing != nil {
			return failing
		}
	}
	return nil
}

// batch runs a plan by some salts at once.
func (s *Shrinking) batch(p *plan.Plan, salts []uint64) *plan.Plan {
	fails := make([]bool, len(salts))
	by := func(i int) *plan.Plan {
		salted := p.Clone()
		salted.Salt = salts[i]
		return salted
	}
	var runs sync.WaitGroup
	for i := range salts {
		runs.Go(func() { fails[i] = s.Fails(by(i)) })
	}
	runs.Wait()
	s.Runs += len(salts)
	for i, failed := range fails {
		if failed {
			return by(i)
		}
	}
	return nil
}

// Hunters run plans and look whether a judge finds something of a class.
type Hunters struct {
	Judge  string
	Class  judge.Class
	Worker func() Worker // gives one; as many are asked for as plans run at a time

	mu   sync.Mutex
	idle []Worker
	err  error
}

// Fails runs a plan and tells whether the judge finds something. It may be called by
// several goroutines. What fails with an error is found by Close.
func (h *Hunters) Fails(p *plan.Plan) bool {
	w, err := h.take()
	if err != nil {
		return false
	}
	o, err := w.Play(p, Playing{Twice: h.Class == judge.NonDeterministic})
	h.give(w, err)
	return err == nil && slices.ContainsFunc(o.Findings, func(f judge.Finding) bool { return f.Judge == h.Judge && f.Class == h.Class })
}

func (h *Hunters) take() (w Worker, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch n := len(h.idle); {
	case h.err != nil:
		return nil, h.err
	case n > 0:
		w, h.idle = h.idle[n-1], h.idle[:n-1]
		return w, nil
	}
	return h.Worker(), nil
}

func (h *Hunters) give(w Worker, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.idle, h.err = append(h.idle, w), cmp.Or(h.err, err)
}

// Close closes the workers and tells what went wrong with the first that failed.
func (h *Hunters) Close() error {
	for _, w := range h.idle {
		w.Close()
	}
	return h.err
}
