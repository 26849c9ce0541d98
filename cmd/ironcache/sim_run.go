package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/chaos/sweep"
	"github.com/elares/ironcache/sim/wasm"
)

// simRunCommand runs the plans of many seeds.
type simRunCommand struct {
	Seeds    int    `default:"100" help:"How many seeds."`
	From     uint64 `help:"The first seed."`
	Nodes    int    `help:"Nodes of a cluster (3)."`
	Shards   int    `help:"Shards of a node (1 or 2)."`
	Clients  int    `help:"Clients (6)."`
	Seconds  int    `help:"Virtual seconds of a run (30)."`
	Faults   string `default:"all" help:"Faults that may happen, by name with commas between; all, or none."`
	Workload string `help:"What clients ask for (drawn)."`
	JSON     bool   `name:"json" help:"Print a line of JSON a seed; the table goes to standard error."`
	Out      string `default:"sim-failures" placeholder:"DIR" help:"Folder for what failed (sim-failures)."`
}

// options are those of the plans.
func (c *simRunCommand) options() (plan.Options, error) {
	o := plan.Options{Nodes: c.Nodes, Shards: c.Shards, Clients: c.Clients, Seconds: c.Seconds, Workload: c.Workload}
	switch c.Faults {
	case "all":
	case "none":
		o.Faults = []string{}
	default:
		o.Faults = strings.Split(c.Faults, ",")
	}
	return o, o.Validate()
}

// Run runs the seeds and prints what came of them.
func (c *simRunCommand) Run(p *program) error {
	o, err := c.options()
	if err != nil {
		return usageError{err}
	}
	if c.Seeds < 1 {
		return usageError{fmt.Errorf("%d seeds: it must be 1 or more", c.Seeds)}
	}
	m, err := wasm.Open(context.Background(), ".")
	if err != nil {
		return err
	}
	stop, release := interrupted()
	defer release()
	show := newProgress(p, c.Seeds)
	table := sweep.Run(sweep.Options{
		From: c.From, Seeds: c.Seeds, Plan: o, Module: m, Stop: stop,
		Failed: func(r *play.Result) { c.file(p, r, m) },
		Done: func(r *play.Result, t *sweep.Table) {
			if c.JSON {
				printSeed(p.out, r)
			}
			show.done(t)
		},
	})
	show.end()
	return c.report(p, table)
}

// report prints the table and tells how the sweep went.
func (c *simRunCommand) report(p *program, t *sweep.Table) error {
	out := p.out
	if c.JSON {
		out = p.err
	}
	t.Print(out)
	if t.Ran < t.Wanted {
		fmt.Fprintf(out, "stopped; the next seed is %d: ironcache sim --from %d --seeds %d\n", c.From+uint64(t.Ran), c.From+uint64(t.Ran), t.Wanted-t.Ran)
	}
	if err := verdict(t.Class()); err != nil {
		return err
	}
	if list := t.Vacuous(); len(list) > 0 {
		return simError{strings.Join(list, ", "), exitVacuous}
	}
	return nil
}

// file writes the bundle of a run that failed.
func (c *simRunCommand) file(p *program, r *play.Result, m *wasm.Module) {
	dir := filepath.Join(c.Out, fmt.Sprintf("seed-%d", r.Plan.Seed))
	if err := sweep.WriteBundle(dir, r, m); err != nil {
		fmt.Fprintf(p.err, "ironcache: %v\n", err)
	}
}

// interrupted gives a channel that the first interrupt closes. The second one ends
// the program at once.
func interrupted() (stop <-chan struct{}, release func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt)
	go func() {
		if _, ok := <-signals; ok {
			signal.Stop(signals)
			close(done)
		}
	}()
	return done, func() {
		signal.Stop(signals)
		close(signals)
	}
}

// printSeed prints a seed as one line.
func printSeed(w io.Writer, r *play.Result) {
	text, err := json.Marshal(struct {
		Seed     uint64          `json:"seed"`
		Class    judge.Class     `json:"class"`
		Trace    string          `json:"trace"`
		Seconds  float64         `json:"virtual_seconds"`
		Asked    int             `json:"operations"`
		Given    int             `json:"given_up"`
		Seen     map[string]int  `json:"faults"`
		Checks   map[string]int  `json:"checks"`
		Findings []judge.Finding `json:"findings"`
	}{r.Plan.Seed, r.Class, fmt.Sprintf("%016x", r.Trace), float64(r.Virtual) / 1e9, r.Asked, r.Given, r.Seen, r.Checks, r.Findings})
	if err == nil {
		fmt.Fprintf(w, "%s\n", text)
	}
}

// progress tells how far a sweep is: in place on a terminal, a line now and then
// elsewhere.
type progress struct {
	out      io.Writer
	terminal bool
	wanted   int
	began    time.Time
	told     time.Time
}

func newProgress(p *program, wanted int) *progress {
	now := time.Now()
	show := &progress{out: p.err, wanted: wanted, began: now, told: now}
	if f, ok := p.err.(*os.File); ok {
		info, err := f.Stat()
		show.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return show
}

// How often progress is told.
const (
	onTerminal = 200 * time.Millisecond
	elsewhere  = 10 * time.Second
)

func (s *progress) done(t *sweep.Table) {
	every := elsewhere
	if s.terminal {
		every = onTerminal
	}
	now := time.Now()
	if now.Sub(s.told) < every {
		return
	}
	s.told = now
	passed := now.Sub(s.began).Seconds()
	line := fmt.Sprintf("%d/%d seeds, %d not ok, %.1f seeds/s, %.0f virtual seconds/s, %d faults seen, %.0f s left", t.Ran, s.wanted,
		t.Ran-t.Classes[judge.OK], float64(t.Ran)/passed, float64(t.Virtual)/1e9/passed, sum(t.Seen), passed/float64(t.Ran)*float64(s.wanted-t.Ran))
	if s.terminal {
		fmt.Fprintf(s.out, "\r\x1b[K%s", line)
		return
	}
	fmt.Fprintln(s.out, line)
}

// end makes room for what follows.
func (s *progress) end() {
	if s.terminal {
		fmt.Fprint(s.out, "\r\x1b[K")
	}
}

func sum(counts map[string]int) (all int) {
	for _, n := range counts {
		all += n
	}
	return all
}

// printResult prints what came of one plan.
func printResult(w io.Writer, r *play.Result) {
	fmt.Fprintf(w, "%s, trace %016x, %.1f virtual seconds, %d operations\n", r.Class, r.Trace, float64(r.Virtual)/1e9, r.Asked)
	var names []string
	for name := range r.Begun {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(w, "fault %s: %d asked for, %d seen\n", name, r.Begun[name], r.Seen[name])
	}
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s: %s: %s\n", f.Class, f.Judge, f.Text)
	}
}
