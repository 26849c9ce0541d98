package mutants

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/sweep"
)

// finding plays no plan: it says what was found on a seed.
type finding func(seed uint64) []judge.Finding

func (f finding) Play(p *plan.Plan, _ sweep.Playing) (*sweep.Outcome, error) {
	o := &sweep.Outcome{Seed: p.Seed, Class: judge.OK, CPU: 0.5, Findings: f(p.Seed)}
	for _, found := range o.Findings {
		o.Class = judge.Worse(o.Class, found.Class)
	}
	return o, nil
}

func (finding) File(string) error { return errors.New("nobody asked for it") }

func (finding) Close() {}

// found are findings, each a judge and what it says.
func found(said ...string) (list []judge.Finding) {
	for _, text := range said {
		name, text, _ := strings.Cut(text, ": ")
		list = append(list, judge.Finding{Judge: name, Class: judge.Safety, Text: text})
	}
	return list
}

// hunted hunts, and tells how many seeds ran.
func hunted(t *testing.T, by string, seeds, jobs int, f finding) (h Hunted, ran int) {
	t.Helper()
	h, err := Hunt(by, sweep.Options{
		Seeds: seeds, Jobs: jobs, Worker: func() sweep.Worker { return f },
		Done: func(_ *sweep.Outcome, t *sweep.Table) error { ran = t.Ran; return nil },
	})
	if err != nil || h.CPU != float64(ran)/2 {
		t.Errorf("%v, %+v", err, h)
	}
	h.CPU = 0
	return h, ran
}

// The first seed counts on which the judge notices, also if another worker is
// done with a later one sooner.
func TestHuntFindsTheFirstSeed(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			got, ran := hunted(t, "lease", 50, workers, func(seed uint64) []judge.Finding {
				switch seed {
				case 3:
					return found("stuck: other")
				case 5:
					time.Sleep(10 * time.Millisecond)
					return found("stuck: other", "lease: first")
				case 6, 7, 20:
					return found("lease: later")
				}
				return nil
			})
			if want := (Hunted{Seeds: 6, Judge: "lease", Others: 1, Finding: "lease: first"}); got != want {
				t.Errorf("%+v", got)
			}
			if ran < 6 || ran > 21+workers {
				t.Errorf("%d seeds", ran)
			}
		})
	}
}

func TestHuntWithoutFinding(t *testing.T) {
	other := func(seed uint64) []judge.Finding {
		if seed >= 4 {
			return found(fmt.Sprint("stuck: ", seed))
		}
		return nil
	}
	if got, _ := hunted(t, "lease", 10, 3, other); got != (Hunted{Others: 6, Finding: "stuck: 4"}) {
		t.Errorf("%+v", got)
	}
	if got, _ := hunted(t, AnyJudge, 10, 3, other); got != (Hunted{Seeds: 5, Judge: "stuck", Finding: "stuck: 4"}) {
		t.Errorf("any judge: %+v", got)
	}
}

// A node that goes on and on ends the hunt, whatever judge is asked for; what that one
// finds on the same seed comes first.
func TestHuntEndsAtANodeThatGoesOn(t *testing.T) {
	for _, c := range []struct {
		also []judge.Finding
		want Hunted
	}{
		{nil, Hunted{Seeds: 3, Judge: TheRun, Finding: "run: it goes on"}},
		{found("lease: two holders"), Hunted{Seeds: 3, Judge: "lease", Finding: "lease: two holders"}},
	} {
		got, ran := hunted(t, "lease", 100, 1, func(seed uint64) []judge.Finding {
			if seed < 2 {
				return nil
			}
			return append([]judge.Finding{{Judge: TheRun, Class: judge.Stuck, Text: "it goes on"}}, c.also...)
		})
		if got != c.want || ran > 4 {
			t.Errorf("%d seeds, %+v", ran, got)
		}
	}
}

func TestHuntIsStopped(t *testing.T) {
	stop := make(chan struct{})
	nothing := finding(func(uint64) []judge.Finding { return nil })
	got, err := Hunt("lease", sweep.Options{Seeds: 1000, Jobs: 3, Worker: func() sweep.Worker { return nothing }, Stop: stop, Done: func(_ *sweep.Outcome, t *sweep.Table) error {
		if t.Ran == 2 {
			close(stop)
		}
		return nil
	}})
	if err != nil || !got.Stopped || got.Seeds != 0 {
		t.Errorf("%v, %+v", err, got)
	}
}

// lost is a worker whose process ends by itself at seed 2.
type lost struct{ finding }

func (l lost) Play(p *plan.Plan, o sweep.Playing) (*sweep.Outcome, error) {
	if p.Seed == 2 {
		f := judge.Finding{Judge: TheRun, Class: judge.Unknown, Text: "it has ended by itself"}
		return &sweep.Outcome{Seed: 2, Class: judge.Unknown, Lost: true, Findings: []judge.Finding{f}}, nil
	}
	return l.finding.Play(p, o)
}

// What judges would have found on a seed that is lost is not known, so that no later one
// counts.
func TestHuntFailsWhenASeedIsLost(t *testing.T) {
	worker := lost{func(seed uint64) []judge.Finding {
		if seed == 3 {
			return found("lease: two holders")
		}
		return nil
	}}
	_, err := Hunt("lease", sweep.Options{
		Seeds: 10, Jobs: 1, Worker: func() sweep.Worker { return worker }, Done: func(*sweep.Outcome, *sweep.Table) error { return nil },
	})
	if err == nil || !strings.Contains(err.Error(), "seed 2: it has ended by itself") {
		t.Error(err)
	}
}
