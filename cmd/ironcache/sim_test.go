package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/mutants"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/sweep"
)

func TestSimMistakes(t *testing.T) {
	wrong := filepath.Join(t.TempDir(), "wrong.plan")
	text := `{"format":"ironcache-plan","version":1,"seed":7,"nodes":3,"shards":1,"clients":6,"workload":"register","heal":18000,"end":30000,"network":{}}
{"at":4000,"fault":"partion","node":2}
`
	if err := os.WriteFile(wrong, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"sim --seeds 0", "0 seeds: it must be 1 or more"},
		{"sim run --seeds 0", "0 seeds: it must be 1 or more"},
		{"sim --seeds many", "--seeds"},
		{"sim --from -1", "--from"},
		{"sim --from 18446744073709551615 --seeds 2", "there are no seeds above 18446744073709551615"},
		{"sim --nodes 0", `"0": it must be a number from 1`},
		{"sim --nodes 7..3", `"7..3": it must be a number from 1, or two with dots between, as 3..7`},
		{"sim --nodes 3..99", "99 nodes: it must be 1 to 15"},
		{"sim --shards 1..17", "17 shards: it must be 1 to 16"},
		{"sim --shards few", `"few": it must be a number`},
		{"sim --clients 0", "0 clients: it must be 1 or more"},
		{"sim --clients 65", "65 clients: it must be 1 to 64"},
		{"sim --seconds 0", "0 seconds: it must be 1 or more"},
		{"sim --jobs -1", "-1 jobs: it must be 1 to 1024"},
		{"sim --faults pause,", `there is no fault ""`},
		{"sim --workload counte", `there is no workload "counte": did you mean "counter"?`},
		{"sim --out /dev/null/x", "mkdir /dev/null: not a directory"},
		{"sim --out " + wrong, "mkdir " + wrong + ": not a directory"},
		{"sim compare " + t.TempDir() + " .", "holds no journal of a sweep"},
		{"sim plan --seed 1 --nodes 99", "99 nodes"},
		{"sim --faults pausse", `there is no fault "pausse": did you mean "pause"?`},
		{"sim --workload none", `there is no workload "none": ironcache sim list lists them`},
		{"sim --faults nosuch", `there is no fault "nosuch": ironcache sim list lists them`},
		{"sim --mutant nosuch", `there is no mutant "nosuch": ironcache sim list lists them`},
		{"sim --nodes 99", "99 nodes: it must be 1 to 15"},
		{"sim --seconds 4000", "4000 seconds"},
		{"sim plan", "either a file or --seed"},
		{"sim plan " + wrong, `line 2: there is no fault "partion": did you mean "partition"?`},
		{"sim replay " + t.TempDir(), "is no bundle: that is a folder, with about.json and plan.jsonl in it, in which a sweep files a seed that failed"},
		{"sim shrink sim-failures/seed-none", "sim-failures/seed-none is no bundle"},
		{"sim worker", "is no worker of a sweep"},
	} {
		code, _, err := command(t, nil, strings.Fields(c.args)...)
		if code != exitUsage || !strings.Contains(err, c.want) || strings.Count(err, "\n") != 1 {
			t.Errorf("%s: exit %d, %q, want %q", c.args, code, err, c.want)
		}
	}
}

func TestSimList(t *testing.T) {
	code, out, err := command(t, nil, "sim", "list")
	if code != exitOK {
		t.Fatal(err)
	}
	for _, f := range fault.Table {
		if !strings.Contains(out, f.Does) {
			t.Errorf("%s is not listed", f.Name)
		}
	}
	for _, m := range mutants.Table {
		if !strings.Contains(out, m.ID+" ") || !strings.Contains(out, m.Name) {
			t.Errorf("%s is not listed", m.ID)
		}
	}
}

// The plan that is printed for a seed is that which the seed runs.
func TestSimPrintsPlan(t *testing.T) {
	code, out, err := command(t, nil, "sim", "plan", "--seed", "5")
	if code != exitOK {
		t.Fatal(err)
	}
	p, readErr := plan.Read(strings.NewReader(out))
	if readErr != nil || p.Seed != 5 || len(p.Events) != len(plan.Draw(5, plan.Options{}).Events) {
		t.Errorf("%v: %+v", readErr, p)
	}
}

// A plan is drawn with the options that a sweep has.
func TestSimPrintsPlanWithOptions(t *testing.T) {
	sizes := map[int]int{}
	for seed := range 40 {
		code, out, err := command(t, nil, "sim", "plan", "--seed", fmt.Sprint(seed), "--nodes", "3..5", "--shards", "4", "--clients", "9", "--faults", "pause")
		p, readErr := plan.Read(strings.NewReader(out))
		if code != exitOK || readErr != nil || p.Shards != 4 || p.Clients != 9 || slices.ContainsFunc(p.Events, func(e fault.Event) bool { return e.Fault != "pause" }) {
			t.Fatalf("%s, %v: %+v", err, readErr, p)
		}
		sizes[p.Nodes]++
	}
	if len(sizes) != 3 || sizes[3]+sizes[4]+sizes[5] != 40 {
		t.Errorf("sizes %v", sizes)
	}
}

// Every class has one exit code of its own, and help and docs/simulator.md tell all codes.
func TestSimExitCodes(t *testing.T) {
	document, err := os.ReadFile("../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, help, _ := command(t, nil, "sim", "run", "--help")
	codes := map[int]bool{}
	for _, e := range exits {
		if codes[e.code] {
			t.Errorf("two meanings of exit code %d", e.code)
		}
		codes[e.code] = true
		if line := fmt.Sprintf("%3d  %s", e.code, e.means); !strings.Contains(help, line) {
			t.Errorf("sim run --help lacks %q", line)
		}
		if row := fmt.Sprintf("| `%d` | %s |", e.code, e.means); !strings.Contains(string(document), row) {
			t.Errorf("docs/simulator.md lacks %q", row)
		}
	}
	for _, class := range judge.Classes {
		err := verdict(class)
		if class == judge.OK && err != nil || class != judge.OK && (err == nil || !codes[codeOf(err)] || codeOf(err) < 10) {
			t.Errorf("%s: %v, exit %d", class, err, codeOf(err))
		}
	}
}

// The command that goes on does the same as the one that was stopped.
func TestSimRest(t *testing.T) {
	clients := 9
	for _, c := range []struct {
		command simRunCommand
		want    string
	}{
		{simRunCommand{From: 7, Seeds: 100}, "ironcache sim --from 17 --seeds 90"},
		{simRunCommand{From: 7, Seeds: 100, Out: "it's here"}, `ironcache sim --from 7 --seeds 100 --out 'it'\''s here'`},
		{simRunCommand{Seeds: 20, Jobs: 3, JSON: true, simOptions: simOptions{Nodes: span{3, 7}, Clients: &clients, Faults: "pause,crash", Workload: "counter"}},
			"ironcache sim --from 10 --seeds 10 --nodes 3..7 --clients 9 --faults crash,pause --workload counter --jobs 3 --json"},
		{simRunCommand{Seeds: 20, simOptions: simOptions{Faults: "none"}}, "ironcache sim --from 10 --seeds 10 --faults none"},
	} {
		if c.command.Faults == "" {
			c.command.Faults = "all"
		}
		o, err := c.command.options()
		if got := c.command.rest(10, o); err != nil || got != c.want {
			t.Errorf("%v\n got %s\nwant %s", err, got, c.want)
		}
	}
}

// A mutant is not asked to be two versions.
func TestSimMutantIsOneVersion(t *testing.T) {
	for _, mutant := range []string{"", "sum"} {
		c := &simRunCommand{Mutant: mutant, simOptions: simOptions{Faults: "all"}}
		if o, err := c.plans(); err != nil || o.NoLater != (mutant != "") {
			t.Errorf("mutant %q: %v, %+v", mutant, err, o)
		}
	}
}

// The later version is made ready for plans that may want it.
func TestSimNeedsLater(t *testing.T) {
	for _, c := range []struct {
		options plan.Options
		needs   bool
	}{
		{plan.Options{}, true},
		{plan.Options{NoLater: true}, false},
		{plan.Options{Faults: []string{}}, false},
		{plan.Options{Faults: []string{"crash"}}, false},
		{plan.Options{Faults: []string{"crash", "upgrade"}}, true},
	} {
		if got := needsLater(c.options); got != c.needs {
			t.Errorf("%+v: %v", c.options, got)
		}
	}
}

// What was interrupted, or left something untried, does not pass for ok; what failed
// counts before that.
func TestSimReport(t *testing.T) {
	full := &sweep.Table{Wanted: 600, Ran: 600, Classes: map[judge.Class]int{judge.OK: 600}}
	part := &sweep.Table{Wanted: 600, Ran: 10, Classes: map[judge.Class]int{judge.OK: 10}}
	bad := &sweep.Table{Wanted: 600, Ran: 10, Classes: map[judge.Class]int{judge.OK: 9, judge.Safety: 1}}
	for _, c := range []struct {
		table  *sweep.Table
		failed error
		code   int
		said   string
	}{
		{full, nil, exitVacuous, "was never seen"},
		{part, nil, exitInterrupted, "stopped after 10 of 600 seeds; this goes on: ironcache sim --from 10 --seeds 590\n"},
		{bad, nil, 11, "safety"},
		{bad, syscall.ENOSPC, exitFailure, "10 of 600 seeds"},
	} {
		var out strings.Builder
		err := (&simRunCommand{Seeds: 600}).report(&program{out: &out}, c.table, plan.Options{}, c.failed)
		if codeOf(err) != c.code || !strings.Contains(out.String(), c.said) {
			t.Errorf("%v, exit %d, want %d and %q in\n%s", err, codeOf(err), c.code, c.said, &out)
		}
	}
}

// A full disk is told of in one line that says what to do.
func TestSimFullDisk(t *testing.T) {
	if line := explain(fmt.Errorf("sweep: journal: write d/journal-0001.jsonl: %w", syscall.ENOSPC)); line !=
		"sweep: journal: write d/journal-0001.jsonl: no space left on device: the disk is full: free some space" {
		t.Error(line)
	}
}

// Only so many bundles of a class are filed.
func TestSimFilesSome(t *testing.T) {
	said := 0
	f := filer{say: func(string) { said++ }}
	wanted := 0
	for range 3 * mostFiled {
		if f.wanted(judge.Crash) {
			wanted++
		}
	}
	if wanted != mostFiled || !f.wanted(judge.Safety) || said != 1 {
		t.Errorf("%d are filed, and it was said %d times", wanted, said)
	}
}

// What is left is counted by what this process runs, not by what a journal had.
func TestSimProgress(t *testing.T) {
	var out strings.Builder
	s := newProgress(&out, 1000)
	table := &sweep.Table{Classes: map[judge.Class]int{}, Seen: map[string]int{"pause": 2, "crash": 3}}
	for range 500 {
		table.Ran++
		table.Kept++
		table.Virtual += 30
		s.done(&sweep.Outcome{Kept: true}, table)
	}
	table.Ran, table.Virtual, table.Classes[judge.OK] = 600, 18_000, 599
	s.began = s.began.Add(-100 * time.Second)
	s.told = s.began
	s.done(&sweep.Outcome{}, table)
	if want := "600/1000 seeds, 1 not ok, 1.00 seeds/s, 30.0 virtual s/s, 5 faults seen, 6m40s left\n"; out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
	out.Reset()
	s.begin("3/52 getdel: ", 10)
	s.began = s.began.Add(-60 * time.Second)
	s.told = s.began
	s.done(&sweep.Outcome{}, &sweep.Table{Ran: 1, Virtual: 30, Classes: map[judge.Class]int{judge.OK: 1}})
	if want := "3/52 getdel: 1/10 seeds, 0 not ok, 0.02 seeds/s, 0.5 virtual s/s, 0 faults seen, 9m0s left\n"; out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
	for wide, want := range map[int]string{1000: "[############........] ", 20: "[############........] ", 10: "[######....] ", 4: "", -7: ""} {
		if got := bar(600, 1000, wide); got != want {
			t.Errorf("in %d letters: %q", wide, got)
		}
	}
}

// A canary passes only if some seeds failed, not most, and all of them are filed.
func TestSimCanary(t *testing.T) {
	dir := t.TempDir()
	for seed := range 3 {
		if err := os.MkdirAll(filepath.Join(dir, fmt.Sprint("seed-", seed)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("seed-", seed), "about.json"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		failed []uint64
		want   string
	}{
		{[]uint64{0, 1, 2}, ""},
		{nil, "0 of 10 seeds failed"},
		{[]uint64{0, 1, 2, 0, 1, 2}, "6 of 10 seeds failed"},
		{[]uint64{0, 3}, "seed 3 failed and is not filed"},
	} {
		table := &sweep.Table{Ran: 10}
		for _, seed := range c.failed {
			table.Failures = append(table.Failures, sweep.Failure{Seed: seed})
		}
		var out strings.Builder
		err := (&simCanaryCommand{Odds: 5}).judge(&program{out: &out}, table, dir, nil)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.failed, err, c.want)
		}
	}
	err := (&simCanaryCommand{Odds: 5}).judge(&program{out: io.Discard}, &sweep.Table{Ran: 3, Wanted: 10, Failures: []sweep.Failure{{Seed: 3}}}, dir, nil)
	if codeOf(err) != exitInterrupted || strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "interrupted after 3 of 10 seeds") {
		t.Errorf("exit %d: %v", codeOf(err), err)
	}
	if o, err := (&simCanaryCommand{simOptions: simOptions{Faults: "all"}}).options(); err != nil || o.Workload != "register" || !o.NoLater {
		t.Errorf("%v: plans of %+v", err, o)
	}
	if code, _, err := command(t, nil, "sim", "canary", "--odds", "0"); code != exitUsage || !strings.Contains(err, "one SET in 0") {
		t.Errorf("exit %d: %s", code, err)
	}
}
