// Package mutants holds nodes that are wrong on purpose: each changes a line of
// what runs in production, and names the judge that must notice.
//
// The promise that callers rely on: a mutant whose line is not there exactly once
// is an error, not a node that is right.
package mutants

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/elares/ironcache/sim/wasm"
)

// A Mutant is one change of one file.
type Mutant struct {
	ID    string // short: what results and claims call it
	Name  string // what is wrong with the node
	File  string // from the root of the checkout
	Old   string // what stands there once
	New   string
	Judge string // that notices, or TheRun if the node goes on and on within one step
}

// Find gives the mutant of an ID, nil if there is none.
func Find(id string) *Mutant {
	for i := range Table {
		if Table[i].ID == id {
			return &Table[i]
		}
	}
	return nil
}

// text is the file with the change.
func (m *Mutant) text(root string) (name string, text []byte, err error) {
	name = filepath.Join(root, filepath.FromSlash(m.File))
	if text, err = os.ReadFile(name); err != nil {
		return "", nil, fmt.Errorf("mutants: %s: %w", m.ID, err)
	}
	if n := bytes.Count(text, []byte(m.Old)); n != 1 {
		return "", nil, fmt.Errorf("mutants: %s: its line stands %d times in %s, and must once", m.ID, n, m.File)
	}
	return name, bytes.Replace(text, []byte(m.Old), []byte(m.New), 1), nil
}

// Buildable tells what mutants lack that are to be built of the checkout that a folder
// is in.
func Buildable(dir string) error {
	const needs = "a mutant is built from source, by a release as well"
	switch _, err := exec.LookPath("go"); {
	case err != nil:
		return fmt.Errorf("mutants: %s: install Go, there is no go command in PATH", needs)
	case !wasm.InCheckout(dir):
		return fmt.Errorf("mutants: %s: run this in a checkout of IronCache, %s is in none", needs, dir)
	}
	return nil
}

// Build builds the mutant of the checkout that a folder is in.
func (m *Mutant) Build(ctx context.Context, dir string) ([]byte, error) {
	if err := Buildable(dir); err != nil {
		return nil, err
	}
	root, err := wasm.Root(ctx, dir)
	if err != nil {
		return nil, err
	}
	name, text, err := m.text(root)
	if err != nil {
		return nil, err
	}
	return wasm.BuildWith(ctx, dir, map[string][]byte{name: text})
}
