package main

import (
	"testing"

	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/sweep"
)

// The last lines of a shrinking say what there was and then what is left.
func TestShrinkSummary(t *testing.T) {
	s := &sweep.Shrinking{Plan: &plan.Plan{Nodes: 1, Clients: 2, Keys: 1, End: 1500, Workload: "register"}, Fails: func(*plan.Plan) bool { return false }, Jobs: 1}
	s.Shrink()
	const before = "3 faults, 3 nodes, 6 clients, 4 keys, 30.0 s"
	got := (&simShrinkCommand{Bundle: "dir/seed-2"}).summary(before, s)
	const want = `before: 3 faults, 3 nodes, 6 clients, 4 keys, 30.0 s
after:  0 faults, 1 node, 2 clients, 1 key, 1.5 s
cost:   1 run in 0.0 s; the budget was used up or it was stopped, and it may get smaller still
plan:   dir/seed-2/small/plan.jsonl
page:   dir/seed-2/small/page.html
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
