package main

import (
	"fmt"

	"github.com/elares/ironcache/chaos/judge"
)

// simCommand runs clusters in a simulated world.
type simCommand struct {
	Run     simRunCommand     `cmd:"" default:"withargs" help:"Run the plans of many seeds (this is what sim does by itself)."`
	Replay  simReplayCommand  `cmd:"" help:"Run what failed once more, from its bundle."`
	Shrink  simShrinkCommand  `cmd:"" help:"Leave out of a plan that failed what the failure does not need."`
	Plan    simPlanCommand    `cmd:"" help:"Run a plan from a file, or print that of a seed."`
	Mutants simMutantsCommand `cmd:"" help:"Run nodes that are wrong on purpose until a judge notices."`
	List    simListCommand    `cmd:"" help:"List faults, judges and workloads."`
}

// exitCodes are those of classes; exitVacuous is that of a sweep that did not try
// all it should have.
var exitCodes = map[judge.Class]int{
	judge.Consistency: 10, judge.Safety: 11, judge.Crash: 12, judge.NonDeterministic: 13, judge.Liveness: 14, judge.Unknown: 15,
}

const exitVacuous = 16

// simError says that a run was not ok.
type simError struct {
	text string
	exit int
}

func (e simError) Error() string { return e.text }

func (e simError) code() int { return e.exit }

// verdict is the error of a class, nil for OK.
func verdict(class judge.Class) error {
	if class == judge.OK {
		return nil
	}
	return simError{fmt.Sprintf("the worst class is %q", class), exitCodes[class]}
}
