package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
)

var ofTests = SweepOf("cafe", "commit 1", plan.Options{Faults: []string{"pause", "crash"}})

func openJournal(t *testing.T, dir string) *Journal {
	t.Helper()
	j, err := OpenJournal(dir, ofTests)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// part runs seeds of a sweep that is kept in a folder, until so many have ended, and
// tells how many were played.
func part(t *testing.T, dir string, from uint64, seeds, most int) (table *Table, played int) {
	t.Helper()
	j := openJournal(t, dir)
	var count atomic.Int64
	stop := make(chan struct{})
	table, err := Run(Options{
		From: from, Seeds: seeds, Jobs: 3, Journal: j, Stop: stop,
		Worker: playing(func(p *plan.Plan) *play.Result { count.Add(1); return oneInHundred(p) }),
		Done: func(_ *Outcome, t *Table) error {
			if t.Ran-t.Kept == most {
				close(stop)
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return table, int(count.Load()) - table.Twice
}

// A sweep that was stopped several times goes on where it was, and has the same table
// as one that was not.
func TestSweepGoesOn(t *testing.T) {
	dir := t.TempDir()
	const seeds = 1200
	want, _ := part(t, t.TempDir(), 0, seeds, -1)
	kept := 0
	for range 3 {
		table, _ := part(t, dir, 0, seeds, 300)
		if table.Kept != kept || table.Ran < kept+300 || table.Ran > kept+310 {
			t.Fatalf("%d kept of %d, %d ran", table.Kept, kept, table.Ran)
		}
		kept = table.Ran
	}
	got, _ := part(t, dir, 0, seeds, -1)
	if got.Kept != kept || got.Ran != seeds {
		t.Errorf("%d kept of %d, %d ran", got.Kept, kept, got.Ran)
	}
	got.Kept, want.Kept = 0, 0
	got.CPU, want.CPU = 0, 0
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if again, played := part(t, dir, 0, seeds, -1); again.Ran != seeds || again.Kept != seeds || played+again.Twice != 0 {
		t.Errorf("all are there, and %d were played; %+v", played+again.Twice, again)
	}
	if names, _ := filesOf(dir); len(names) != 4 {
		t.Errorf("the journal is %v: a process that ran nothing leaves none", names)
	}
}

// Processes that run seeds of their own at the same time fill one journal, and any
// range of it is a sweep.
func TestProcessesMerge(t *testing.T) {
	dir := t.TempDir()
	first := openJournal(t, dir) // is open while the others run
	part(t, dir, 0, 400, -1)
	part(t, dir, 400, 400, -1)
	if err := first.Add(outcomeOf(oneInHundred(plan.Draw(800, plan.Options{})), 0)); err != nil {
		t.Fatal(err)
	}
	if table, _ := part(t, dir, 300, 501, -1); table.Ran != 501 || table.Kept != 501 || len(table.Failures) != 5 {
		t.Errorf("%+v", table)
	}
	_ = first.Close()
}

// Of a line that is not whole, and of what follows it, nothing is taken.
func TestTornJournal(t *testing.T) {
	dir := t.TempDir()
	part(t, dir, 0, 100, -1)
	name := filepath.Join(dir, "journal-0001.jsonl")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	start := 0 // of the last line
	for _, line := range lines[:100] {
		start += len(line)
	}
	for _, c := range []struct {
		what string
		text []byte
		kept int
		torn bool
	}{
		{"nothing", nil, 0, false},
		{"half of the head", lines[0][:20], 0, false},
		{"the head", lines[0], 0, false},
		{"all but a letter", whole[:len(whole)-1], 99, false},
		{"all but a line and a half", whole[:start-20], 98, false},
		{"a hole of zeros", bytes.Join([][]byte{whole[:start-50], make([]byte, 50), lines[100]}, nil), 98, true},
		{"all", whole, 100, false},
	} {
		if err := os.WriteFile(name, c.text, 0o600); err != nil {
			t.Fatal(err)
		}
		j := openJournal(t, dir)
		table, err := Run(Options{Seeds: 100, Journal: j, Worker: playing(oneInHundred)})
		if err != nil || table.Kept != c.kept || table.Ran != 100 || len(j.Torn) > 0 != c.torn {
			t.Errorf("%s: %v, %d kept, %d ran, torn %v", c.what, err, table.Kept, table.Ran, j.Torn)
		}
		name := j.file.Name()
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(name)
	}
}

// Outcomes of something else are not added up, and what to do is told.
func TestJournalOfAnother(t *testing.T) {
	dir := t.TempDir()
	part(t, dir, 0, 5, -1)
	for _, c := range []struct {
		change func(s *Sweep)
		want   string // empty: it is no other
	}{
		{func(s *Sweep) { s.Options.Faults = []string{"crash", "pause"} }, ""},
		{func(s *Sweep) { s.Module = "beef" }, "a node with the hash cafe, and this one has beef"},
		{func(s *Sweep) { s.Program = "commit 2" }, "by commit 1, and this is commit 2"},
		{func(s *Sweep) { s.Options = plan.Options{} }, "with --faults crash,pause, and this one has no options"},
		{func(s *Sweep) { s.Options.Nodes, s.Options.NodesTo = 3, 7 }, "this one has --nodes 3..7 --faults"},
		{func(s *Sweep) { s.Version++ }, "version 1, and this program writes"},
	} {
		of := ofTests
		c.change(&of)
		j, err := OpenJournal(dir, SweepOf(of.Module, of.Program, of.Options))
		if of.Version != journalVersion {
			j, err = OpenJournal(dir, of)
		}
		if err == nil {
			_ = j.Close()
		}
		if c.want == "" && err == nil {
			continue
		}
		if c.want == "" || !errors.As(err, new(*OtherError)) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "--out") || !strings.Contains(err.Error(), dir) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// Two processes that ran the same seed differently have found something.
func TestJournalsDisagree(t *testing.T) {
	dir := t.TempDir()
	first, second := openJournal(t, dir), openJournal(t, dir)
	for i, j := range []*Journal{first, second} {
		for seed := range uint64(3) {
			o := &Outcome{Seed: seed, Class: judge.OK, Trace: fmt.Sprint(seed)}
			if seed == 2 {
				o.Trace = fmt.Sprint(100 + i)
			}
			if err := j.Add(o); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	table, _ := part(t, dir, 0, 3, -1)
	if table.Ran != 3 || table.Class() != judge.NonDeterministic || table.Classes[judge.OK] != 2 ||
		len(table.Failures) != 1 || table.Failures[0].Seed != 2 || !strings.Contains(table.Failures[0].Summary, "100 and 101") {
		t.Errorf("%+v", table)
	}
}

// A journal that cannot be written ends the sweep.
func TestJournalThatCannotBeWritten(t *testing.T) {
	j := openJournal(t, t.TempDir())
	_ = j.file.Close()
	table, err := Run(Options{Seeds: 1000, Jobs: 2, Journal: j, Worker: playing(oneInHundred)})
	if err == nil || !strings.Contains(err.Error(), "journal-0001.jsonl") || table.Ran > 0 {
		t.Errorf("%v after %d seeds", err, table.Ran)
	}
}

// A seed that is not ok, and of which outcomes disagree, is one failure.
func TestFailureThatDisagreesIsOne(t *testing.T) {
	dir := t.TempDir()
	for _, trace := range []string{"1", "2"} {
		j := openJournal(t, dir)
		o := &Outcome{Seed: 4, Class: judge.Liveness, Trace: trace, Findings: []judge.Finding{{Judge: "stuck", Class: judge.Liveness, Text: "no answer"}}}
		if err := j.Add(o); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	table, _ := part(t, dir, 4, 1, -1)
	if table.Ran != 1 || table.Classes[judge.NonDeterministic] != 1 || len(table.Failures) != 1 || table.Failures[0].Class != judge.NonDeterministic ||
		table.Failures[0].Summary != "stuck: no answer; run: two runs have the traces 1 and 2" {
		t.Errorf("%+v", table)
	}
}
