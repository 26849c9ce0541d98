package play

import (
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
)

// A node that runs as a later version for a while gets along with the others. Once
// all do and have written what only they understand, one that goes back refuses to
// run, and runs when it goes forward again.
func TestVersions(t *testing.T) {
	p := plan.Draw(1, plan.Options{Nodes: 3, Shards: 1, Faults: []string{}, Workload: "register"})
	p.Events = []fault.Event{{At: 5000, Fault: "other-version", Node: 1, For: 2500}, {At: 9000, Fault: "upgrade", Node: 2, For: 8000}}
	p.Heal, p.End = 19_000, 24_000
	r := Run(p, module(t), Options{})
	if r.Class != judge.OK || r.Seen["other-version"] != 1 || r.Seen["upgrade"] != 1 || r.Checks["states"] == 0 {
		t.Errorf("%s: %v; seen %v", r.Class, r.Findings, r.Seen)
	}
	if e := r.Evidence.Exits; len(e) == 0 || e[0].Node != 2 || !strings.Contains(e[0].Why, "it has version 2, and this program understands 1") {
		t.Errorf("exits: %+v", e)
	}
}

// A cluster may decide by a later version although its nodes never were of that at the same
// time, as it has not heard yet that one went back. They go forward then, all of them.
func TestVersionsOfDifferentTimes(t *testing.T) {
	p := plan.Draw(1, plan.Options{Nodes: 3, Shards: 1, Faults: []string{}, Workload: "register"})
	p.Events = []fault.Event{
		{At: 3000, Fault: "other-version", Node: 0, For: 3000}, {At: 5900, Fault: "partition", Node: 0, For: 10_000},
		{At: 7000, Fault: "other-version", Node: 1, For: 5000}, {At: 8500, Fault: "other-version", Node: 2, For: 5000},
	}
	p.Heal, p.End = 18_000, 24_000
	r := Run(p, module(t), Options{})
	if r.Class != judge.OK {
		t.Errorf("%s: %v", r.Class, r.Findings)
	}
	if e := r.Evidence.Exits; len(e) == 0 || !strings.Contains(e[0].Why, "it has version 2, and this program understands 1") {
		t.Errorf("exits: %+v", e)
	}
}
