package engine

import (
	"slices"
	"testing"
)

func TestLatencySeriesKeepsTheLongestOfASecond(t *testing.T) {
	var s LatencySeries
	for _, sample := range []LatencySample{{1, 5}, {1, 9}, {1, 7}, {3, 2}} {
		s.add(sample)
	}
	if want := []LatencySample{{1, 9}, {3, 2}}; !slices.Equal(s.Samples, want) || s.Max != 9 {
		t.Errorf("%v", s)
	}
}

func TestLatencySeriesForgetsTheOldest(t *testing.T) {
	var s LatencySeries
	s.add(LatencySample{0, 1000})
	for at := range int64(MostLatencySamples + 10) {
		s.add(LatencySample{at + 1, at})
	}
	last := s.Samples[len(s.Samples)-1]
	if len(s.Samples) != MostLatencySamples || s.Samples[0].At != 11 || last.At != MostLatencySamples+10 || s.Max != 1000 {
		t.Errorf("%d samples from %v to %v, most %d", len(s.Samples), s.Samples[0], last, s.Max)
	}
}

func TestLatencySeriesMerge(t *testing.T) {
	a := LatencySeries{Samples: []LatencySample{{1, 5}, {2, 6}, {5, 1}}, Max: 50}
	b := LatencySeries{Samples: []LatencySample{{2, 8}, {3, 3}, {9, 9}}, Max: 9}
	want := []LatencySample{{1, 5}, {2, 8}, {3, 3}, {5, 1}, {9, 9}}
	for _, got := range []LatencySeries{a.Merge(b), b.Merge(a)} {
		if !slices.Equal(got.Samples, want) || got.Max != 50 {
			t.Errorf("%v", got)
		}
	}
	if got := (LatencySeries{}).Merge(a); !slices.Equal(got.Samples, a.Samples) {
		t.Errorf("%v", got)
	}
}

func TestLatencyEventsHaveNames(t *testing.T) {
	for _, e := range LatencyEvents() {
		if e.String() == "" {
			t.Errorf("event %d has no name", e)
		}
	}
}
