package sweep

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/plan"
)

// large is a plan with twenty faults, of which two matter.
func large() *plan.Plan {
	p := plan.Draw(1, plan.Options{Nodes: 5, Shards: 2, Clients: 16, Faults: []string{}})
	p.Network.ShortRead = 1000
	for i := range int64(20) {
		name := []string{"reset", "slow-network", "partition", "disk-full"}[i%4]
		switch i {
		case 3:
			name = "crash-at-call"
		case 17:
			name = "pause"
		}
		p.Events = append(p.Events, fault.Event{At: 3000 + 700*i, Fault: name, Node: int(i) % 5, For: 5000})
	}
	return p
}

// event gives the first event of a fault, nil if there is none.
func event(p *plan.Plan, name string) *fault.Event {
	if i := slices.IndexFunc(p.Events, func(e fault.Event) bool { return e.Fault == name }); i >= 0 {
		return &p.Events[i]
	}
	return nil
}

// needs is a failure that needs a pause of 700 ms or more, a crash a second or more
// after it, two clients, two nodes and two keys.
func needs(p *plan.Plan) bool {
	pause, crash := event(p, "pause"), event(p, "crash-at-call")
	if pause == nil || crash == nil {
		return false
	}
	gap := max(pause.At-crash.At, crash.At-pause.At)
	return pause.For >= 700 && gap >= 1000 && p.Clients >= 2 && p.Nodes >= 2 && p.KeysAtOnce() >= 2 && p.End >= 4000
}

// What is left is what the failure needs, and every step says what was left out.
func TestShrink(t *testing.T) {
	p := large()
	var steps []string
	s := Shrinking{Plan: p, Salts: 3, Fails: needs, Tell: func(step Step) { steps = append(steps, step.String()) }}
	if !s.Shrink() {
		t.Fatal("the plan does not fail")
	}
	got := s.Plan
	if len(got.Events) != 2 || got.Clients != 2 || got.Nodes != 2 || got.Keys != 2 || got.Shards != 1 || got.Salt != 0 {
		t.Errorf("what is left: %s: %+v", Size(got), got)
	}
	if pause := event(got, "pause"); pause == nil || pause.For < 700 || pause.For > 1300 {
		t.Errorf("the pause: %+v", pause)
	}
	if last := got.Events[len(got.Events)-1].At; last < 1000 || last > 1600 || got.End > 5000 || got.Heal > got.End {
		t.Errorf("the last fault is at %d, all is healed at %d, the run ends at %d", last, got.Heal, got.End)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
	if len(p.Events) != 20 || p.Clients != 16 {
		t.Errorf("the plan that was given is another: %+v", p)
	}
	all := strings.Join(steps, "\n")
	for _, want := range []string{"without the 2 faults that would have come later", "without 4 faults of 18: ", "without node ", "with 2 clients", "with 2 keys", "a kind network", "sooner", "ended at", "left: 2 faults, 2 nodes, 2 clients, 2 keys"} {
		if !strings.Contains(all, want) {
			t.Errorf("no step says %q:\n%s", want, all)
		}
	}
	if strings.Contains(all, "the 0 faults") {
		t.Errorf("a step leaves out nothing:\n%s", all)
	}
}

// A plan that fails by one salt of twenty only is found, and so is the same whatever
// runs at a time.
func TestShrinkTriesSalts(t *testing.T) {
	for _, jobs := range []int{1, 3, 8} {
		s := Shrinking{Plan: large(), Salts: 20, Jobs: jobs, Tell: func(Step) {}, Fails: func(p *plan.Plan) bool {
			return needs(p) && p.Salt == uint64(len(p.Events)*7%20) // each size by another
		}}
		if !s.Shrink() {
			t.Fatal("the plan does not fail")
		}
		if len(s.Plan.Events) != 2 || s.Plan.Salt != 14 || s.Plan.Nodes != 2 {
			t.Errorf("%d at a time: what is left: %s, salt %d", jobs, Size(s.Plan), s.Plan.Salt)
		}
	}
}

// No more salts are tried than are wanted.
func TestShrinkTriesNoMoreSalts(t *testing.T) {
	s := Shrinking{Plan: large(), Salts: 19, Tell: func(Step) {}, Fails: func(p *plan.Plan) bool { return p.Salt == 19 }}
	if s.Shrink() || s.Runs != 19 {
		t.Errorf("it failed after %d runs, by salt %d", s.Runs, s.Plan.Salt)
	}
}

// A plan that cannot be made smaller stays what it was, and so does one that does
// not fail.
func TestShrinkLeavesAlone(t *testing.T) {
	for name, fails := range map[string]func(*plan.Plan) bool{
		"as small as it gets": func(p *plan.Plan) bool {
			whole, text, other := large(), strings.Builder{}, strings.Builder{}
			_, _ = whole.Write(&text), p.Write(&other)
			return text.String() == other.String()
		},
		"not failing": func(*plan.Plan) bool { return false },
	} {
		s := Shrinking{Plan: large(), Salts: 1, Fails: fails, Tell: func(step Step) { t.Errorf("%s: %s", name, step) }}
		if s.Shrink() != (name != "not failing") || len(s.Plan.Events) != 20 || s.Plan.Clients != 16 {
			t.Errorf("%s: %s", name, Size(s.Plan))
		}
	}
}

// The budget ends it, with what is smallest by then.
func TestShrinkKeepsItsBudget(t *testing.T) {
	s := Shrinking{Plan: large(), Salts: 4, Jobs: 2, Fails: needs, Tell: func(Step) {}, MostRuns: 30}
	if !s.Shrink() || s.Runs < 30 || s.Runs > 31 || len(s.Plan.Events) == 20 {
		t.Errorf("%d runs, %s", s.Runs, Size(s.Plan))
	}
	var runs atomic.Int64
	s = Shrinking{Plan: large(), Salts: 4, Jobs: 1, Tell: func(Step) {}, MostTime: 20 * time.Millisecond, Fails: func(p *plan.Plan) bool {
		runs.Add(1)
		time.Sleep(30 * time.Millisecond)
		return needs(p)
	}}
	if !s.Shrink() || runs.Load() != 1 {
		t.Errorf("%d runs in a time for one", runs.Load())
	}
	stop := make(chan struct{})
	s = Shrinking{Plan: large(), Salts: 1, Jobs: 1, Fails: needs, Stop: stop, Tell: func(Step) { close(stop) }}
	if !s.Shrink() || len(s.Plan.Events) == 20 || s.Plan.Nodes != 5 {
		t.Errorf("stopped after a step: %s", Size(s.Plan))
	}
}

// Faults that must follow each other closely come sooner together.
func TestShrinkKeepsWhatFollows(t *testing.T) {
	p := plan.Draw(1, plan.Options{Nodes: 1, Shards: 1, Clients: 1, Faults: []string{}})
	p.Events = []fault.Event{{At: 6000, Fault: "pause"}, {At: 6400, Fault: "crash"}}
	s := Shrinking{Plan: p, Salts: 1, Tell: func(Step) {}, Fails: func(p *plan.Plan) bool {
		return len(p.Events) == 2 && p.Events[1].At-p.Events[0].At >= 100 && p.Events[1].At-p.Events[0].At <= 400
	}}
	if !s.Shrink() || s.Plan.Events[0].At != 0 || s.Plan.Events[1].At > 400 {
		t.Errorf("what is left: %+v", s.Plan.Events)
	}
}
