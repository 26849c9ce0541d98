package linearize

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// crowd makes a history at the limits: operations on one key by eight clients
// whose intervals overlap, the last of them with unknown outcome and spread
// over the whole time. A bad one shows a stale read near its end.
func crowd(seed uint64, kinds []Kind, operations, lost int, bad bool) *History {
	const step = 1000
	r := rand.New(rand.NewPCG(seed, 0))
	h := &History{}
	var store thing
	free := make([]int64, 8) // when a client is done
	known := operations - lost
	for i := range known {
		client, now := r.IntN(len(free)), int64(i+1)*step
		op := Operation{Client: client, Key: "k", Kind: kinds[r.IntN(len(kinds))], Value: strconv.Itoa(i), Delta: 1 + int64(r.IntN(3))}
		if op.Kind == Batch {
			op.Value = batchOf(r, op.Value)
		}
		if op.Kind == Set && r.IntN(4) == 0 {
			op.If, op.Old = eqOption, store.text
		}
		if op.Kind == Set && op.If == "" && r.IntN(3) == 0 {
			op.Life = int64(known) * step * 2
		}
		op.Call, op.Return = max(free[client]+1, now-int64(r.IntN(4*step))), now+int64(r.IntN(4*step))
		op.Call = min(op.Call, now)
		free[client] = op.Return
		store, op.Outcome = storeStep(store, &op)
		store.life = 0
		if bad && i == known*9/10 && op.Kind == Batch {
			op.Value, op.Outcome = "mget a b", Replied("1,2")
		} else if bad && i == known*9/10 {
			op.Kind, op.Outcome = Get, Replied("1")
		}
		h.Operations = append(h.Operations, op)
	}
	for i := range lost {
		op := Operation{Client: 100 + i, Key: "k", Kind: Set, Value: "lost" + strconv.Itoa(i), Delta: 1000, Return: Infinite, Outcome: Outcome{Result: Lost}}
		op.Kind = kinds[r.IntN(len(kinds))]
		if op.Kind == Batch {
			op.Value = batchOf(r, op.Value)
		}
		op.Call = int64(r.IntN(known * step))
		h.Operations = append(h.Operations, op)
	}
	return h
}

// batchOf draws commands on three members.
func batchOf(r *rand.Rand, value string) string {
	forms := []string{"mget a b c", "mget a b", "get c", "mset a V b V", "mset a V b V c V", "set b V", "msetnx a V c V", "del a b", "rename a c", "get a;set a V"}
	return strings.ReplaceAll(forms[r.IntN(len(forms))], "V", value)
}

// crowds are at the limits, that of families below: there is more to try out.
var crowds = []struct {
	name             string
	operations, lost int
	kinds            []Kind
}{
	{"register", DefaultLimits.Operations, DefaultLimits.Unknowns, []Kind{Set, Get}},
	{"swaps", DefaultLimits.Operations, DefaultLimits.Unknowns, []Kind{Set, Get, GetSet, Del, SetNX}},
	{"counter", DefaultLimits.Operations, DefaultLimits.Unknowns, []Kind{IncrBy, Get}},
	{"increments", DefaultLimits.Operations, DefaultLimits.Unknowns, []Kind{IncrBy}},
	{"removals", DefaultLimits.Operations, DefaultLimits.Unknowns, []Kind{IncrBy, Get, Del}},
	{"family", 100, 6, []Kind{Batch}},
}

// TestCostAtTheLimits shows that keys at the limits are decided well within the
// default budget, which is counted in steps and the same everywhere.
func TestCostAtTheLimits(t *testing.T) {
	for _, c := range crowds {
		for _, bad := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s,bad=%v", c.name, bad), func(t *testing.T) {
				var steps []int
				for seed := range uint64(4) {
					h := crowd(seed, c.kinds, c.operations, c.lost, bad)
					report := check(t, h, Options{keepIdle: true})
					if report.Class == Unknown || (report.Class == Violated) != bad {
						t.Errorf("seed %d: %s: %s", seed, report.Class, report.Keys[0].Reason)
					}
					steps = append(steps, report.Counts.Steps)
				}
				t.Logf("steps: %v", steps)
			})
		}
	}
}

// TestCostOfLines has clients send four operations at a time, of which the last
// lines break off.
func TestCostOfLines(t *testing.T) {
	for _, c := range crowds {
		for _, bad := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s,bad=%v", c.name, bad), func(t *testing.T) {
				var steps []int
				for seed := range uint64(4) {
					h := crowd(seed, c.kinds, c.operations, c.lost, bad)
					inLines(h)
					report := check(t, h, Options{keepIdle: true})
					if report.Class == Unknown || (report.Class == Violated) != bad {
						t.Errorf("seed %d: %s: %s", seed, report.Class, report.Keys[0].Reason)
					}
					steps = append(steps, report.Counts.Steps)
				}
				t.Logf("steps: %v", steps)
			})
		}
	}
}

// inLines makes lines of what took effect in a row: each goes to the client of the
// first of four, and is called with it.
func inLines(h *History) {
	for i := range h.Operations {
		op, first := &h.Operations[i], &h.Operations[i-i%4]
		op.Line, op.Place = 1+i/4, i%4
		op.Client, op.Call = first.Client, min(op.Call, first.Call)
	}
}

// TestCostOfLostLines has four lines break off, so that thousands of possibilities
// stand beside each other: comparing each with each would take a hundred million steps.
func TestCostOfLostLines(t *testing.T) {
	for _, c := range crowds[:4] {
		t.Run(c.name, func(t *testing.T) {
			h := crowd(1, c.kinds, 80, 16, false)
			inLines(h)
			report := check(t, h, Options{Wipes: true, LostWrites: true, Limits: Limits{Unknowns: 16}, keepIdle: true})
			if report.Class != OK || report.Counts.Steps > DefaultLimits.Steps/2 {
				t.Errorf("%s after %d steps: %s", report.Class, report.Counts.Steps, report.Keys[0].Reason)
			}
			t.Logf("%d steps", report.Counts.Steps)
		})
	}
}

// TestCostOfFailovers has what was written come back: every state since the
// failover before is remembered.
func TestCostOfFailovers(t *testing.T) {
	for _, c := range crowds {
		t.Run(c.name, func(t *testing.T) {
			var steps []int
			for seed := range uint64(4) {
				h := crowd(seed, c.kinds, c.operations*4/5, c.lost/2, false)
				for i := range int64(8) {
					at := (i + 1) * int64(c.operations) * 90
					h.Marks = append(h.Marks, Mark{Kind: Failover, From: at, To: at + 3000}, Mark{Kind: Wipe, From: at, To: at + 1000})
				}
				report := check(t, h, Options{LostWrites: true, Wipes: true, keepIdle: true})
				if report.Class != OK {
					t.Errorf("seed %d: %s: %s", seed, report.Class, report.Keys[0].Reason)
				}
				steps = append(steps, report.Counts.Steps)
			}
			t.Logf("steps: %v", steps)
		})
	}
}

// TestBudgetEndsASearch gives a bad history too little, and the same too little
// again.
func TestBudgetEndsASearch(t *testing.T) {
	h := crowd(1, []Kind{Set, Get}, DefaultLimits.Operations, DefaultLimits.Unknowns, true)
	needed := check(t, h, Options{keepIdle: true}).Counts.Steps
	for _, steps := range []int{1, needed / 2, needed - 1, needed} {
		o := Options{keepIdle: true, Limits: Limits{Steps: steps}}
		first, second := check(t, h, o), check(t, h, o)
		if first.Class != Unknown || first.Keys[0].Reason == "" {
			t.Errorf("%d of %d steps: %s", steps, needed, first.Class)
		}
		if first.Counts != second.Counts {
			t.Errorf("%d steps: %+v, then %+v", steps, first.Counts, second.Counts)
		}
	}
	o := Options{keepIdle: true, Limits: Limits{Steps: needed + 1}}
	if report := check(t, h, o); report.Class != Violated || report.Counts.Steps != needed {
		t.Errorf("%d steps: %s after %d", needed+1, report.Class, report.Counts.Steps)
	}
}
