package mutants

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"github.com/elares/ironcache/chaos/judge"
)

// Every mutant changes a line that is there, into Go, and names a judge.
func TestTable(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Table {
		t.Run(m.Name, func(t *testing.T) {
			name, text, err := m.text(root)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
				t.Error(err)
			}
			if !slices.ContainsFunc(judge.Table, func(j judge.Judge) bool { return j.Name == m.Judge }) {
				t.Errorf("there is no judge %q", m.Judge)
			}
		})
	}
	missing := Mutant{Name: "none", File: "go.mod", Old: "nothing like this"}
	if _, _, err := missing.text(root); err == nil {
		t.Error("a line that is not there was changed")
	}
}
