package mutants

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Rows stay in the order of the table, are replaced, and those of mutants that are
// no more go; figures are of what is left.
func TestResults(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.json")
	for i, row := range []Row{
		{ID: "no such mutant", Seeds: 99}, {ID: Table[2].ID, Seeds: 30, CPU: 2}, {ID: Table[0].ID, Seeds: 7, CPU: 1}, {ID: Table[1].ID, Most: 200},
		{ID: Table[2].ID, Judge: Table[2].Judge, Seeds: 12, CPU: 3}, {ID: Table[0].ID, Judge: Table[0].Judge, Seeds: 7, CPU: 1},
		{ID: Table[3].ID, Judge: TheRun, Seeds: 2},
	} {
		r, err := Load(name)
		if err != nil {
			t.Fatal(i, err)
		}
		r.Put(row)
		if err := r.Save(name); err != nil {
			t.Fatal(i, err)
		}
	}
	r, err := Load(name)
	if err != nil || len(r.Rows) != 4 || r.Rows[0].ID != Table[0].ID || r.Rows[2].Seeds != 12 {
		t.Fatalf("%v: %+v", err, r)
	}
	if left := r.Survivors(); !slices.Equal(left, []string{Table[1].ID, Table[3].ID}) {
		t.Errorf("survivors: %v", left)
	}
	for figure, want := range map[string]float64{
		"mutants": 4, "noticed": 2, "median": 7, "most": 12, "cpu seconds": 4, "seeds/" + Table[0].ID: 7,
	} {
		if r.Figures[figure] != want {
			t.Errorf("figure %q is %v, want %v", figure, r.Figures[figure], want)
		}
	}
	if r.Find("none") != nil || r.Find(Table[0].ID) == nil {
		t.Error("a row is not found by its ID")
	}
}

func TestLoadResults(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.json")
	if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(name); err == nil {
		t.Error("half a file is taken for results")
	}
}

// Another node, and other plans, have another fingerprint.
func TestFingerprint(t *testing.T) {
	a, b := Fingerprint([]byte("a")), Fingerprint([]byte("b"))
	if a == b || a != Fingerprint([]byte("a")) {
		t.Errorf("%s, %s", a, b)
	}
}

// The results that are filed are of all mutants there are, each was noticed, half of
// them soon, and the documents have a line of each.
func TestFiledResults(t *testing.T) {
	r, err := Load("../../research/results/mutants.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for i := range Table {
		m := &Table[i]
		row := r.Find(m.ID)
		switch {
		case row == nil:
			t.Errorf("%s was not hunted: ironcache sim mutants --only %s", m.ID, m.ID)
			continue
		case !row.Noticed():
			t.Errorf("%s: %d seeds until %s noticed, and %s must", m.ID, row.Seeds, row.Judge, m.Judge)
		}
		if line := "| " + m.Name + " | " + m.Judge + " | " + fmt.Sprint(row.Seeds) + "[^" + m.claim() + "] |"; !strings.Contains(string(document), line) {
			t.Errorf("README.md lacks the line %q: ironcache sim mutants --table prints it", line)
		}
	}
	if len(r.Rows) != len(Table) || r.Median() > 50 || r.Unmutated.Finding != "" || r.Unmutated.Seeds < r.Most() {
		t.Errorf("%d rows, median %d, unmutated on %d seeds of %d: %s", len(r.Rows), r.Median(), r.Unmutated.Seeds, r.Most(), r.Unmutated.Finding)
	}
}
