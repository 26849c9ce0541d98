package raftlog_test

import (
	"sync"
	"testing"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/slots"
)

// Who watches a node hears of its roles, terms, leases and epochs, each once.
func TestWatchTellsStandings(t *testing.T) {
	var mu sync.Mutex
	var told []raftlog.Standing
	g := newGroup(t, 1, false)
	g.stop(0)
	g.options[0].Topology = []raftlog.Place{{Bus: g.options[0].Bus(), Owns: []slots.Range{{First: 0, Last: slots.Count - 1}}}}
	g.options[0].Watch = func(s raftlog.Standing) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, s)
	}
	g.start(0)
	g.until("it serves", g.serving)
	mu.Lock()
	defer mu.Unlock()
	term, candidate := uint64(0), false
	for i, s := range told {
		if i > 0 && s == told[i-1] {
			t.Errorf("told twice: %+v", s)
		}
		if s.Term < term {
			t.Errorf("the term falls from %d: %+v", term, s)
		}
		term, candidate = s.Term, candidate || s.Role == raft.Candidate
	}
	v := g.planes[0].View()
	last := told[len(told)-1]
	if !candidate || last.Role != raft.Leader || last.Term < 2 || last.Epoch != v.Map.Epoch(7) || last.Until < v.Until-quick.Length || last.Until == 0 {
		t.Errorf("it was a candidate: %v; told last: %+v", candidate, last)
	}
}

// Who watches a node that starts again hears first of what its disk has kept.
func TestWatchTellsWhatWasKept(t *testing.T) {
	var mu sync.Mutex
	var told []raftlog.Standing
	g := newGroup(t, 1, false)
	g.stop(0)
	g.options[0].Topology = []raftlog.Place{{Bus: g.options[0].Bus(), Owns: []slots.Range{{First: 0, Last: slots.Count - 1}}}}
	g.options[0].Watch = func(s raftlog.Standing) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, s)
	}
	g.start(0)
	g.until("it serves", g.serving)
	applied := g.planes[0].View().Index
	g.stop(0)
	mu.Lock()
	before := told[len(told)-1]
	told = nil
	mu.Unlock()
	g.start(0)
	mu.Lock()
	defer mu.Unlock()
	if first := told[0]; before.Term == 0 || first.Term != before.Term || first.Voted != before.Voted || first.Voted == 0 || first.Kept < applied {
		t.Errorf("it kept %+v, and before were %+v and %d entries", first, before, applied)
	}
}
