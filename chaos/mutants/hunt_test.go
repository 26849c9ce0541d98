package mutants

import (
	"fmt"
	"testing"
	"time"
)

// The first seed counts on which the judge notices, also if another worker is
// done with a later one sooner.
func TestHuntFindsTheFirstSeed(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			ran := 0
			got := hunted("lease", Options{Seeds: 50, Workers: workers, Done: func(seeds int) { ran = seeds }}, func(seed uint64) []judged {
				switch seed {
				case 3:
					return []judged{{Judge: "stuck", Text: "other"}}
				case 5:
					time.Sleep(10 * time.Millisecond)
					return []judged{{Judge: "stuck", Text: "other"}, {Judge: "lease", Text: "first"}}
				case 6, 7, 20:
					return []judged{{Judge: "lease", Text: "later"}}
				}
				return nil
			})
			if want := (Hunted{Seeds: 6, Others: 1, Finding: "lease: first"}); got != want {
				t.Errorf("%+v", got)
			}
			if ran < 6 || ran > 6+workers {
				t.Errorf("%d seeds", ran)
			}
		})
	}
}

func TestHuntWithoutFinding(t *testing.T) {
	other := func(seed uint64) []judged {
		if seed >= 4 {
			return []judged{{Judge: "stuck", Text: fmt.Sprint(seed)}}
		}
		return nil
	}
	got := hunted("lease", Options{Seeds: 10, Workers: 3}, other)
	if want := (Hunted{Others: 6, Finding: "stuck: 4"}); got != want {
		t.Errorf("%+v", got)
	}
	got = hunted(AnyJudge, Options{Seeds: 10, Workers: 3}, other)
	if want := (Hunted{Seeds: 5, Finding: "stuck: 4"}); got != want {
		t.Errorf("any judge: %+v", got)
	}
	stop := make(chan struct{})
	got = hunted("lease", Options{Seeds: 1000, Workers: 3, Stop: stop, Done: func(seeds int) {
		if seeds == 2 {
			close(stop)
		}
	}}, func(uint64) []judged { return nil })
	if want := (Hunted{Stopped: true}); got != want {
		t.Errorf("stopped: %+v", got)
	}
}
