package play

import (
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/plan"
)

// The clock of the node whose faults add up to most bounds all, a spare's as well.
func TestClockOf(t *testing.T) {
	p := &plan.Plan{Nodes: 3, Spares: 1, Events: []fault.Event{
		{Fault: fault.ClockDrift, Node: 0, Amount: 500, For: 1000},
		{Fault: fault.ClockDrift, Node: 3, Amount: -900, For: 1000},
		{Fault: fault.ClockDrift, Node: 3, Amount: 100, For: 1000},
	}}
	if c := clockOf(p); c.Skew != resolution+1_000_000 {
		t.Errorf("skew %d", c.Skew)
	}
}
