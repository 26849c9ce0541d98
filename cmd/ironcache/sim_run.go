package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/report"
	"github.com/elares/ironcache/chaos/sweep"
	"github.com/elares/ironcache/sim/wasm"
)

// simRunCommand runs the plans of many seeds.
type simRunCommand struct {
	Seeds int    `default:"100" help:"How many seeds (100)."`
	From  uint64 `placeholder:"N" help:"The first seed (0)."`
	simOptions
	Jobs   int    `placeholder:"N" help:"Seeds that run at a time (as many as there are cores)."`
	JSON   bool   `name:"json" help:"Print a line of JSON a seed; the table goes to standard error."`
	Mutant string `placeholder:"ID" help:"Run a node that is wrong on purpose, by its ID in the list."`
	Out    string `placeholder:"DIR" help:"Folder for what failed, and for a journal: the same command again goes on where this one was stopped, and others can add seeds. Without it what failed goes to sim-failures, and nothing else is kept."`
}

// Help lists the exit codes.
func (*simRunCommand) Help() string { return exitHelp() }

// mostJobs bounds how many seeds run at a time: each takes some memory.
const mostJobs = 1024

// check tells what is wrong with the command line.
func (c *simRunCommand) check() error {
	switch {
	case c.Seeds < 1:
		return usageError{fmt.Errorf("%d seeds: it must be 1 or more", c.Seeds)}
	case c.From > math.MaxUint64-uint64(c.Seeds):
		return usageError{fmt.Errorf("%d seeds from %d on: there are no seeds above %d", c.Seeds, c.From, uint64(math.MaxUint64))}
	case c.Jobs < 0 || c.Jobs > mostJobs:
		return usageError{fmt.Errorf("%d jobs: it must be 1 to %d, or 0 for as many as there are cores", c.Jobs, mostJobs)}
	case c.Out != "":
		return writable(c.Out)
	}
	return nil
}

// writable makes a folder if need be and tells what keeps files out of it.
func writable(dir string) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, "try-"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return usageError{fmt.Errorf("folder of --out: %w", err)}
	}
	return nil
}

// Run runs the seeds and prints what came of them.
func (c *simRunCommand) Run(p *program) error {
	o, err := c.plans()
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return err
	}
	show := newProgress(p.err, c.Seeds)
	b, err := simulated(c.Mutant)
	if err == nil && c.Seeds >= several && needsLater(o) {
		_, err = b.Later() // at once, of the same source
	}
	if err != nil {
		return err
	}
	show.start()
	table, err := c.sweep(p, b, o, show)
	if table == nil {
		return err
	}
	return c.report(p, table, o, err)
}

// several is from how many seeds on some will have nodes of two versions.
const several = 10

// needsLater tells whether plans may have nodes of a later version.
func needsLater(o plan.Options) bool {
	return !o.NoLater && (o.Faults == nil || slices.ContainsFunc(o.Faults, func(name string) bool { return fault.Find(name).Later }))
}

// plans are the options of the plans. Of a mutant there is one version alone.
func (c *simRunCommand) plans() (plan.Options, error) {
	o, err := c.options()
	o.NoLater = c.Mutant != ""
	return o, err
}

// sweep runs the seeds with a node. Without a table nothing was run.
func (c *simRunCommand) sweep(p *program, b *wasm.Binary, o plan.Options, show *progress) (*sweep.Table, error) {
	journal, err := c.journal(b, o)
	if err != nil {
		return nil, err
	}
	stop, release := interrupted(func() { show.say("the seeds that run are finished; interrupt once more to end at once") })
	defer release()
	workers := crew(p, b, sweep.Origin{Commit: commit(), Mutant: c.Mutant})
	defer workers.Close()
	f := filer{say: show.say, folder: c.bundle}
	table, err := sweep.Run(sweep.Options{
		From: c.From, Seeds: c.Seeds, Plan: o, Worker: workers.Worker, Jobs: c.Jobs, Journal: journal, Stop: stop, Failed: f.file,
		Done: func(o *sweep.Outcome, t *sweep.Table) error {
			defer show.done(o, t)
			if c.JSON {
				return show.around(func() error { return printSeed(p.out, o) })
			}
			return nil
		},
	})
	show.end()
	if journal != nil {
		for _, name := range journal.Torn {
			fmt.Fprintf(p.err, "ironcache: %s in %s has a line that is not whole: what followed was run again\n", name, c.Out)
		}
		err = errors.Join(err, journal.Close())
	}
	return table, err
}

// journal opens that of the folder, if one is given.
func (c *simRunCommand) journal(b *wasm.Binary, o plan.Options) (*sweep.Journal, error) {
	if c.Out == "" {
		return nil, nil
	}
	program, err := readBuild().identity()
	if err != nil {
		return nil, err
	}
	j, err := sweep.OpenJournal(c.Out, sweep.SweepOf(b.Hash, program, o))
	if errors.As(err, new(*sweep.OtherError)) {
		return nil, usageError{err}
	}
	return j, err
}

// report prints the table and tells how the sweep went.
func (c *simRunCommand) report(p *program, t *sweep.Table, o plan.Options, failed error) error {
	out := p.out
	if c.JSON {
		out = p.err
	}
	t.Print(out)
	c.tellFiled(out, t)
	if t.Ran < t.Wanted && (failed == nil || c.Out != "") { // otherwise it is not known which seeds ran
		fmt.Fprintf(out, "stopped after %d of %d seeds; this goes on: %s\n", t.Ran, t.Wanted, c.rest(t.Ran, o))
	}
	if failed != nil {
		return failed
	}
	if err := verdict(t.Class()); err != nil {
		return err
	}
	if t.Ran < t.Wanted {
		return simError{"interrupted", exitInterrupted}
	}
	if list := t.Vacuous(); len(list) > 0 {
		return simError{strings.Join(list, ", "), exitVacuous}
	}
	return nil
}

// rest is the command that runs the seeds that did not run: all of them again if
// there is a journal, which knows; otherwise those behind the first so many, as seeds
// run in their order.
func (c *simRunCommand) rest(ran int, o plan.Options) string {
	words := []string{"ironcache sim"}
	if c.Out != "" {
		ran = 0
	}
	words = append(words, fmt.Sprintf("--from %d --seeds %d", c.From+uint64(ran), c.Seeds-ran))
	if flags := o.Flags(); flags != "" {
		words = append(words, flags)
	}
	if c.Mutant != "" {
		words = append(words, "--mutant", sweep.ShellWord(c.Mutant))
	}
	if c.Jobs != 0 {
		words = append(words, fmt.Sprintf("--jobs %d", c.Jobs))
	}
	if c.JSON {
		words = append(words, "--json")
	}
	if c.Out != "" {
		words = append(words, "--out", sweep.ShellWord(c.Out))
	}
	return strings.Join(words, " ")
}

// interrupted gives a channel that the first interrupt closes, which it tells of.
// The second one ends the program at once.
func interrupted(tell func()) (stop <-chan struct{}, release func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, ok := <-signals; ok {
			signal.Stop(signals)
			close(done)
			tell()
		}
	}()
	return done, func() {
		signal.Stop(signals)
		close(signals)
	}
}

// printSeed prints what came of a seed as one line.
func printSeed(w io.Writer, o *sweep.Outcome) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// printResult prints what came of one plan.
func printResult(w io.Writer, r *sweep.Outcome) {
	fmt.Fprintf(w, "%s, trace %s, %.1f virtual seconds, %d operations\n", r.Class, r.Trace, r.Virtual, r.Asked)
	var names []string
	for name := range r.Begun {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(w, "fault %s: %d asked for, %d seen\n", name, r.Begun[name], r.Seen[name])
	}
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s: %s: %s\n", f.Class, f.Judge, report.Readable(f.Text))
	}
}
