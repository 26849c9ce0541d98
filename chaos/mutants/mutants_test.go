package mutants

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/judge"
)

// Every mutant changes a line that is there, into Go, and names a judge.
func TestTable(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	ids, changes := map[string]bool{}, map[string]bool{}
	for i := range Table {
		m := &Table[i]
		t.Run(m.ID, func(t *testing.T) {
			name, text, err := m.text(root)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
				t.Error(err)
			}
			if m.Judge != TheRun && !slices.ContainsFunc(judge.Table, func(j judge.Judge) bool { return j.Name == m.Judge }) {
				t.Errorf("there is no judge %q", m.Judge)
			}
			if m.ID == "" || m.Name == "" || m.Old == m.New || ids[m.ID] || changes[string(text)] {
				t.Error("it lacks a name, changes nothing, or is there twice")
			}
			ids[m.ID], changes[string(text)] = true, true
		})
	}
	missing := Mutant{ID: "none", File: "go.mod", Old: "nothing like this"}
	if _, _, err := missing.text(root); err == nil {
		t.Error("a line that is not there was changed")
	}
}

// Every mutant can be built. It takes seconds each: IRONCACHE_MUTANTS=build asks
// for it.
func TestMutantsBuild(t *testing.T) {
	if os.Getenv("IRONCACHE_MUTANTS") != "build" {
		t.Skip("IRONCACHE_MUTANTS=build builds all mutants")
	}
	for i := range Table {
		t.Run(Table[i].ID, func(t *testing.T) {
			if _, err := Table[i].Build(context.Background(), "."); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFind(t *testing.T) {
	if m := Find(Table[1].ID); m != &Table[1] {
		t.Errorf("%+v", m)
	}
	if Find("none") != nil {
		t.Error("a mutant that is not there was found")
	}
}

// What mutants need is told in one line, to a release as well.
func TestMutantsNeedSource(t *testing.T) {
	if err := Buildable("."); err != nil {
		t.Error(err)
	}
	if err := Buildable(t.TempDir()); err == nil || !strings.Contains(err.Error(), "a mutant is built from source, by a release as well: run this in a checkout of IronCache") {
		t.Errorf("outside of a checkout: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Table[0].Build(context.Background(), "."); err == nil || !strings.Contains(err.Error(), "install Go") || strings.Contains(err.Error(), "\n") {
		t.Errorf("without a toolchain: %v", err)
	}
}
