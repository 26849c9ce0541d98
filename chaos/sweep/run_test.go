package sweep

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
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

// What fails in one seed of a hundred is told of and filed, each of it.
func TestEveryFailureIsTold(t *testing.T) {
	var mu sync.Mutex
	var filed []uint64
	told := 0
	table, err := Run(Options{
		From: 500, Seeds: 10_000, Jobs: 8, play: oneInHundred,
		Done:   func(*Outcome, *Table) error { told++; return nil },
		Failed: func(r *play.Result) { mu.Lock(); defer mu.Unlock(); filed = append(filed, r.Plan.Seed) },
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
	table, err := Run(Options{Seeds: 200, play: func(p *plan.Plan) *play.Result {
		mu.Lock()
		defer mu.Unlock()
		runs[p.Seed]++
		r := &play.Result{Plan: p, Class: judge.OK, Trace: p.Seed}
		if p.Seed == 150 {
			r.Trace += runs[p.Seed]
		}
		return r
	}})
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
	table, err := Run(Options{Seeds: 1000, Jobs: 2, play: oneInHundred, Done: func(o *Outcome, _ *Table) error {
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
	table, err := Run(Options{Seeds: 1000, Jobs: 4, play: oneInHundred, Stop: stop, Done: func(o *Outcome, t *Table) error {
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

// The processor time of seeds adds up to that of the process, however many of them run
// at a time.
func TestMeter(t *testing.T) {
	now := 5.0
	m := meter{spent: func() float64 { return now }}
	m.begin()
	m.end(0)
	began := m.begin()
	now += 2
	second := m.begin()
	now += 4
	first := m.end(began)
	now++
	if got := []float64{first, m.end(second)}; !reflect.DeepEqual(got, []float64{4, 3}) {
		t.Errorf("%v", got)
	}
	now += 100 // nothing runs
	if got := m.end(m.begin()); got != 0 {
		t.Errorf("a seed of no time takes %v", got)
	}
}
