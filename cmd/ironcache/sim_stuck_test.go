//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/mutants"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/sweep"
	"github.com/elares/ironcache/sim/wasm"
	"github.com/elares/ironcache/sim/wasm/endless"
)

// impatient has workers be the test binary, and little patience with their nodes.
func impatient(t *testing.T) {
	t.Helper()
	variable, value, _ := strings.Cut(beTheProgram, "=")
	t.Setenv(variable, value)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	before := stuckAfter
	t.Cleanup(func() { stuckAfter = before })
	stuckAfter = 400 * time.Millisecond
}

// A sweep of nodes that compute for ever comes to its end and tells where what failed
// is filed and what to do next; to run that again comes to the same end.
func TestSimNodesThatComputeForEver(t *testing.T) {
	impatient(t)
	var out, errs strings.Builder
	p, b := &program{&out, &errs, nil}, wasm.NewBinary(endless.Computing)
	c := &simRunCommand{Seeds: 2, Jobs: 2, Out: t.TempDir()}
	o := plan.Options{NoLater: true}
	table, err := c.sweep(p, b, o, newProgress(&errs, 2))
	if err != nil || table.Ran != 2 || table.Classes[judge.Stuck] != 2 {
		t.Fatalf("%v, %+v; it said %s", err, table, &errs)
	}
	if err := c.report(p, table, o, nil); codeOf(err) != 17 {
		t.Errorf("exit %d: %v", codeOf(err), err)
	}
	dir := filepath.Join(c.Out, "seed-1")
	for _, want := range []string{
		"stuck  2\n", `seed 1: stuck: "run: node 0 (life 1) goes on since 0 and does not wait`, "seed 1 is filed in " + dir + "\n",
		dir + "/page.html\n", "ironcache sim replay " + dir + "\n", "ironcache sim shrink " + dir + "\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in:\n%s", want, &out)
		}
	}
	read, about, err := sweep.ReadBundle(dir)
	if err != nil {
		t.Fatal(err)
	}
	out.Reset()
	err = withWorker(p, b, about.Origin, func(w sweep.Worker) error {
		r, err := w.Play(read, sweep.Playing{})
		if err != nil {
			return err
		}
		return compared(&out, r, about)
	})
	if codeOf(err) != 17 || !strings.Contains(out.String(), "does not wait") || !strings.Contains(out.String(), "identical to the run that was filed") {
		t.Errorf("exit %d, %v:\n%s", codeOf(err), err, &out)
	}
}

// A mutant that computes for ever does not hang the hunt. It is noticed, and the hunt
// fails: the judge that should have noticed had nothing to look at.
func TestMutantThatComputesForEver(t *testing.T) {
	impatient(t)
	var out, errs strings.Builder
	h := &mutantHunt{program: &program{&out, &errs, nil}, results: &mutants.Results{}, show: newProgress(&errs, 9)}
	m := mutants.Table[0]
	found, err := h.hunt(endless.Computing, m.Judge, 9)
	if err != nil || found.Seeds != 1 || found.Judge != mutants.TheRun || found.Others != 0 || !strings.Contains(found.Finding, "node 0 (life 1) goes on since 0 and does not wait") {
		t.Fatalf("%v, %+v; it said %s", err, found, &errs)
	}
	h.results.Put(mutants.Row{ID: m.ID, Mutant: m.Name, Judge: found.Judge, Seeds: found.Seeds})
	if err := h.report(); err == nil || !strings.Contains(err.Error(), "not noticed by the judge that they name: "+m.ID) {
		t.Error(err)
	}
	if row := strings.Fields(strings.Split(out.String(), "\n")[1]); !slices.Contains(row, mutants.TheRun) {
		t.Errorf("who noticed is not in:\n%s", &out)
	}
}

// Of many seeds that failed a few are told of, and of none that is not filed.
func TestSimTellsWhatIsFiled(t *testing.T) {
	c := &simRunCommand{Out: t.TempDir()}
	table := &sweep.Table{}
	for seed := range uint64(9) {
		table.Failures = append(table.Failures, sweep.Failure{Seed: seed})
		if seed == 1 {
			continue
		}
		if err := os.Mkdir(c.bundle(seed), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(c.bundle(seed), "about.json"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	c.tellFiled(&out, table)
	for seed := range uint64(9) {
		want := seed != 1 && seed <= mostTold
		if told := strings.Contains(out.String(), fmt.Sprintf("sim replay %s\n", c.bundle(seed))); told != want {
			t.Errorf("seed %d is told of: %v\n%s", seed, told, &out)
		}
	}
	if !strings.HasSuffix(out.String(), "others that failed are filed beside these\n") {
		t.Error(out.String())
	}
	out.Reset()
	(&simRunCommand{Out: t.TempDir()}).tellFiled(&out, table)
	if out.Len() > 0 {
		t.Error(out.String())
	}
}
