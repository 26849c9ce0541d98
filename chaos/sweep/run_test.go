package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
)

// oneInHundred plays no node: of a hundred seeds one reads what nobody wrote.
func oneInHundred(p *plan.Plan) *play.Result {
	r := &play.Result{Plan: p, Class: judge.OK, Trace: p.Seed * 7, Virtual: 30e9, Asked: 3, Seen: map[string]int{"pause": 1}}
	if p.Seed%100 == 37 {
		r.Class = judge.Consistency
		r.Findings = []judge.Finding{{Judge: "linearizable", Class: judge.Consistency, Text: fmt.Sprint("seed ", p.Seed)}}
	}
	return r
}

// playing gives workers that have plans played by a function.
func playing(run func(p *plan.Plan) *play.Result) func() Worker {
	return func() Worker { return &Local{run: func(p *plan.Plan, _ play.Options) *play.Result { return run(p) }} }
}

// What fails in one seed of a hundred is told of and filed, each of it.
func TestEveryFailureIsTold(t *testing.T) {
	var mu sync.Mutex
	var filed []uint64
	told := 0
	table, err := Run(Options{
		From: 500, Seeds: 10_000, Jobs: 8, Worker: playing(oneInHundred),
		Done:   func(*Outcome, *Table) error { told++; return nil },
		Failed: func(o *Outcome, _ func(string) error) { mu.Lock(); defer mu.Unlock(); filed = append(filed, o.Seed) },
	})
	if err != nil {
		t.Fatal(err)
	}
	var want, got []uint64
	for seed := uint64(537); seed < 10_500; seed += 100 {
		want = append(want, seed)
	}
	for _, f := range table.Failures {
		got = append(got, f.Seed)
		if f.Class != judge.Consistency || f.Summary != fmt.Sprint("linearizable: seed ", f.Seed) {
			t.Errorf("%+v", f)
		}
	}
	slices.Sort(filed)
	if !slices.Equal(got, want) || !slices.Equal(filed, want) {
		t.Errorf("told of %v, filed %v, want %v", got, filed, want)
	}
	if table.Class() != judge.Consistency || table.Classes[judge.OK] != 9900 || table.Ran != 10_000 || told != 10_000 || table.Twice != 200 {
		t.Errorf("told %d, %+v", told, table)
	}
	if table.Virtual != 300_000 || table.Asked != 30_000 || table.Seen["pause"] != 10_000 {
		t.Errorf("%+v", table)
	}
}

// A seed that goes another way when it is run once more is noticed.
func TestSecondRunIsCompared(t *testing.T) {
	var mu sync.Mutex
	runs := map[uint64]uint64{}
	table, err := Run(Options{Seeds: 200, Worker: playing(func(p *plan.Plan) *play.Result {
		mu.Lock()
		defer mu.Unlock()
		runs[p.Seed]++
		r := &play.Result{Plan: p, Class: judge.OK, Trace: p.Seed}
		if p.Seed == 150 {
			r.Trace += runs[p.Seed]
		}
		return r
	})})
	if err != nil || table.Class() != judge.NonDeterministic || len(table.Failures) != 1 || table.Failures[0].Seed != 150 {
		t.Errorf("%v, %+v", err, table)
	}
	if table.Twice != 4 || runs[0] != 2 || runs[1] != 1 {
		t.Errorf("%d seeds were run twice; runs %v", table.Twice, runs)
	}
}

// What Done complains of ends the sweep.
func TestDoneEndsTheSweep(t *testing.T) {
	full := errors.New("the disk is full")
	table, err := Run(Options{Seeds: 1000, Jobs: 1, Worker: playing(oneInHundred), Done: func(o *Outcome, _ *Table) error {
		if o.Seed == 10 {
			return full
		}
		return nil
	}})
	if !errors.Is(err, full) || table.Ran < 11 || table.Ran > 20 {
		t.Errorf("%v after %d seeds", err, table.Ran)
	}
}

// When a sweep is stopped, what ran is the first so many seeds.
func TestStop(t *testing.T) {
	stop := make(chan struct{})
	var ran []uint64
	table, err := Run(Options{Seeds: 1000, Jobs: 4, Worker: playing(oneInHundred), Stop: stop, Done: func(o *Outcome, t *Table) error {
		ran = append(ran, o.Seed)
		if t.Ran == 100 {
			close(stop)
		}
		return nil
	}})
	slices.Sort(ran)
	if err != nil || table.Ran < 100 || table.Ran > 110 || table.Ran != len(ran) || ran[len(ran)-1] != uint64(len(ran)-1) {
		t.Errorf("%v: %d seeds ran: %v", err, table.Ran, ran)
	}
}

// tired is a worker that fails at a seed.
type tired struct{ Worker }

func (w tired) Play(p *plan.Plan, o Playing) (*Outcome, error) {
	if p.Seed == 10 {
		return nil, errors.New("the node cannot be compiled")
	}
	return w.Worker.Play(p, o)
}

// A worker that cannot say what came of a seed ends the sweep.
func TestWorkerEndsTheSweep(t *testing.T) {
	workers := playing(oneInHundred)
	table, err := Run(Options{Seeds: 1000, Jobs: 1, Worker: func() Worker { return tired{workers()} }})
	if err == nil || !strings.Contains(err.Error(), "cannot be compiled") || table.Ran < 9 || table.Ran > 20 {
		t.Errorf("%v after %d seeds", err, table.Ran)
	}
}
