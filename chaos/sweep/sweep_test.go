package sweep

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/mark"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/chaos/report"
	"github.com/elares/ironcache/linearize"
)

// failed is a run in which a client read what nobody wrote.
func failed() *play.Result {
	h := &linearize.History{Operations: []linearize.Operation{
		{Client: 1, Key: "k", Kind: linearize.Get, Call: 3, Return: 4, Outcome: linearize.Replied("v")},
	}}
	r := &play.Result{Plan: plan.Draw(11, plan.Options{}), Trace: 5, Evidence: &judge.Evidence{History: h}}
	r.Class, r.Findings, r.Checks = judge.All(r.Evidence)
	return r
}

func TestBundle(t *testing.T) {
	dir, r := filepath.Join(t.TempDir(), "a", "b"), failed()
	log := &report.Log{}
	log.Add(&play.Happening{Kind: play.Says, Who: "node 0", Text: "what happened"})
	if err := file(dir, r, About{Module: "cafe", Origin: Origin{Commit: "beef"}}, log); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"about.json": "ironcache sim replay " + dir, "history.jsonl": `"key":"k"`, "log.txt": "what happened", "page.html": "ironcache sim replay ",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q: %v", name, want, err)
		}
	}
	p, about, err := ReadBundle(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(p, r.Plan) || about.Module != "cafe" || about.Commit != "beef" || about.Trace != "0000000000000005" || about.Class != judge.Consistency {
		t.Errorf("read %+v, %+v", p, about)
	}
	if _, _, err := ReadBundle(t.TempDir()); err == nil {
		t.Error("an empty folder is a bundle")
	}
}

func TestTable(t *testing.T) {
	table := newTable(Options{Seeds: 600})
	for range enough - 1 {
		table.add(&Outcome{Seed: 3, Class: judge.OK})
	}
	if list := table.Vacuous(); len(list) > 0 {
		t.Errorf("a small sweep has to have tried all: %v", list)
	}
	table.add(outcomeOf(failed(), 1))
	if list := table.Vacuous(); len(list) < len(fault.Table)-2 || !strings.HasPrefix(list[0], "fault ") {
		t.Errorf("nothing was tried, and that is all right: %v", list)
	}
	for _, want := range []string{"fault pause was never seen", "judge lease had nothing to check", "mark " + mark.Table[0].Name + " was never reached"} {
		if !slices.Contains(table.Vacuous(), want) {
			t.Errorf("%q is not told", want)
		}
	}
	if table.Class() != judge.Consistency || len(table.Failures) != 1 || table.Failures[0].Seed != 11 {
		t.Errorf("class %s, failures %v", table.Class(), table.Failures)
	}
	var out strings.Builder
	table.Print(&out)
	for _, want := range []string{"500 of 600 seeds", "linearizable", "seed 11: consistency:", "never seen"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, &out)
		}
	}
}

// A sweep whose plans leave something out need not have tried all.
func TestVacuousNeedsAll(t *testing.T) {
	for _, c := range []struct {
		options plan.Options
		needs   bool
	}{
		{plan.Options{}, true},
		{plan.Options{Nodes: 3, NodesTo: 7, Shards: 2, Clients: 9, Seconds: 60}, true},
		{plan.Options{Faults: []string{}}, false},
		{plan.Options{Faults: []string{"pause"}}, false},
		{plan.Options{Workload: "counter"}, false},
		{plan.Options{Alone: true}, false},
		{plan.Options{NoLater: true}, false},
		{plan.Options{Nodes: 1}, false},
		{plan.Options{Seconds: 10}, false},
	} {
		table := newTable(Options{Plan: c.options})
		table.Ran = 2 * enough
		if list := table.Vacuous(); len(list) > 0 != c.needs {
			t.Errorf("%q: %v", c.options.Flags(), list)
		}
	}
}
