package main

import (
	"fmt"
	"strings"

	"github.com/elares/ironcache/chaos/judge"
)

// simCommand runs clusters in a simulated world.
type simCommand struct {
	Run     simRunCommand     `cmd:"" default:"withargs" help:"Run the plans of many seeds (this is what sim does by itself)."`
	Replay  simReplayCommand  `cmd:"" help:"Run what failed once more, from its bundle."`
	Shrink  simShrinkCommand  `cmd:"" help:"Leave out of a plan that failed what the failure does not need."`
	Plan    simPlanCommand    `cmd:"" help:"Run a plan from a file, or print that of a seed."`
	Mutants simMutantsCommand `cmd:"" help:"Run nodes that are wrong on purpose until a judge notices (needs Go and a checkout)."`
	Canary  simCanaryCommand  `cmd:"" help:"Sweep with a node that is wrong in some seeds, to show that a sweep tells (needs Go and a checkout)."`
	Compare simCompareCommand `cmd:"" help:"Tell whether two sweeps gave each seed the same trace."`
	Node    simNodeCommand    `cmd:"" help:"Write the node that is simulated to a file, for a release to hold."`
	List    simListCommand    `cmd:"" help:"List faults, judges, marks, mutants and workloads."`
	Worker  simWorkerCommand  `cmd:"" hidden:"" help:"Run plans for another process."`
}

// Help shows what one may do, and lists the exit codes.
func (simCommand) Help() string { return examples + "\n" + exitHelp() }

// examples are those of help.
const examples = `Examples:
  ironcache sim                                  a hundred seeds, on all cores
  ironcache sim --seeds 10000 --out nightly      the same command goes on where this was stopped
  ironcache sim --nodes 3..7 --faults partition,crash --workload counter
  ironcache sim replay nightly/seed-17           what failed, once more, step for step
  ironcache sim shrink nightly/seed-17           leave out what the failure does not need
  ironcache sim plan --seed 17                   the plan of a seed, as text
`

// An exit is a code that sim exits with, and what it means.
type exit struct {
	code  int
	class judge.Class // of the worst seed; empty: the code is about something else
	means string
}

// Exit codes of sim alone.
const (
	exitVacuous     = 16
	exitInterrupted = 130 // as shells have it
)

// exits lists the exit codes of sim.
var exits = []exit{
	{exitOK, judge.OK, "all seeds are ok"},
	{exitFailure, "", "the tool itself failed: the node could not be built, a file not written, a replay went another way"},
	{exitUsage, "", "the command line is at fault, or what it names: a plan, a bundle, a folder with another sweep"},
	{10, judge.Consistency, "clients saw what cannot have been"},
	{11, judge.Safety, "nodes did what they must not do"},
	{12, judge.Crash, "a node ended by itself"},
	{17, judge.Stuck, "a node went on and on within one step"},
	{13, judge.NonDeterministic, "a seed that ran twice went two ways"},
	{14, judge.Liveness, "something that must happen did not"},
	{15, judge.Unknown, "a judge came to no verdict, or a seed is lost: the process that ran it ended by itself, twice"},
	{exitVacuous, "", "all seeds are ok, and 500 or more of them with all faults left something untried"},
	{exitInterrupted, "", "interrupted; the seeds that ran are ok"},
}

// exitHelp is the list for people.
func exitHelp() string {
	var text strings.Builder
	text.WriteString("Exit codes (of several, that of the worst seed):\n")
	for _, e := range exits {
		fmt.Fprintf(&text, "  %3d  %s\n", e.code, e.means)
	}
	return text.String()
}

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
	for _, e := range exits {
		if e.class == class {
			return simError{fmt.Sprintf("the worst class is %q: %s", class, e.means), e.code}
		}
	}
	return fmt.Errorf("the worst class is %q", class)
}
