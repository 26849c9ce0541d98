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
	"path/filepath"

	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/sim/wasm"
)

// A Mutant is one change of one file.
type Mutant struct {
	Name  string
	File  string // from the root of the checkout
	Old   string // what stands there once
	New   string
	Judge string // that notices
}

// text is the file with the change.
func (m *Mutant) text(root string) (name string, text []byte, err error) {
	name = filepath.Join(root, filepath.FromSlash(m.File))
	if text, err = os.ReadFile(name); err != nil {
		return "", nil, fmt.Errorf("mutants: %s: %w", m.Name, err)
	}
	if n := bytes.Count(text, []byte(m.Old)); n != 1 {
		return "", nil, fmt.Errorf("mutants: %s: its line stands %d times in %s, and must once", m.Name, n, m.File)
	}
	return name, bytes.Replace(text, []byte(m.Old), []byte(m.New), 1), nil
}

// Build builds the mutant of the checkout that a folder is in.
func (m *Mutant) Build(ctx context.Context, dir string) ([]byte, error) {
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

// Hunt runs seeds until the judge that is named notices, and tells how many it
// took; 0: none of them did. other counts seeds on which only other judges did.
func (m *Mutant) Hunt(node *wasm.Module, seeds int) (took, other int) {
	for seed := range uint64(seeds) {
		r := play.Run(plan.Draw(seed, plan.Options{}), node, play.Options{})
		for _, f := range r.Findings {
			if f.Judge == m.Judge {
				return int(seed) + 1, other
			}
		}
		if len(r.Findings) > 0 {
			other++
		}
	}
	return 0, other
}
