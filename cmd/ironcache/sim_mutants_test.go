package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/mutants"
)

func TestSimMutantsMistakes(t *testing.T) {
	for args, want := range map[string]string{
		"sim mutants --seeds 0":       "0 seeds from mutant 1",
		"sim mutants --from 0":        "from mutant 0",
		"sim mutants --from 999":      "from mutant 999",
		"sim mutants --only sum,none": `there is no mutant "none"`,
	} {
		code, _, err := command(t, nil, strings.Fields(args)...)
		if code != exitUsage || !strings.Contains(err, want) {
			t.Errorf("%s: exit %d, %q, want %q", args, code, err, want)
		}
	}
}

// The table of the documents is made from the file of results, without a hunt.
func TestSimMutantsTable(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.json")
	m := mutants.Table[0]
	results := &mutants.Results{}
	results.Put(mutants.Row{ID: m.ID, Mutant: m.Name, Judge: m.Judge, Seeds: 12})
	if err := results.Save(name); err != nil {
		t.Fatal(err)
	}
	code, out, err := command(t, nil, "sim", "mutants", "--table", "--out", name)
	if code != exitOK {
		t.Fatalf("exit %d, %q", code, err)
	}
	for _, want := range []string{
		"| " + m.Name + " | " + m.Judge + " | 12[^mutant-" + m.ID + "] |",
		"mutant-" + m.ID + ":\n  says: Seeds until judge " + m.Judge + " noticed that " + m.Name + "\n  value: 12\n",
		"mutants-median:\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in:\n%s", want, out)
		}
	}
}
