package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/mutants"
	"github.com/elares/ironcache/chaos/sweep"
	"github.com/elares/ironcache/sim/wasm"
)

// simulated gives the node that is simulated: a mutant, if the ID of one is given.
func simulated(mutant string) (*wasm.Binary, error) {
	if mutant == "" {
		return wasm.Load(context.Background(), ".")
	}
	m := mutants.Find(mutant)
	if m == nil {
		return nil, noMutant(mutant)
	}
	text, err := m.Build(context.Background(), ".")
	if err != nil {
		return nil, err
	}
	return wasm.NewBinary(text), nil
}

// noMutant is the error of an ID that no mutant has.
func noMutant(id string) error {
	var known []string
	for i := range mutants.Table {
		known = append(known, mutants.Table[i].ID)
	}
	return usageError{fault.Unknown("mutant", id, known)}
}

// nodeOf gives the node of a bundle, which must have the same bytes.
func nodeOf(about *sweep.About) (*wasm.Binary, error) {
	b, err := simulated(about.Mutant)
	if err != nil {
		return nil, err
	}
	return b, sameBytes(b.Hash, about)
}

// sameBytes refuses a node that is not that of a bundle.
func sameBytes(hash string, about *sweep.About) error {
	if hash == about.Module {
		return nil
	}
	where := "check out the commit that made the bundle"
	if about.Commit != "" {
		where += ", " + about.Commit
	}
	return usageError{fmt.Errorf("the bundle is of a node with the hash %s, and this program has one with %s: %s", about.Module, hash, where)}
}

// commit is what the program and its node were built from, empty if that is not
// known: the stamp of the Go tool, or where go run has left none the checkout's own
// word.
func commit() string {
	if b := readBuild(); b.commit != unknownCommit {
		return b.commit
	}
	head, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		return ""
	}
	text := strings.TrimSpace(string(head))
	if changes, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output(); err != nil || len(changes) > 0 {
		text += ", with changes"
	}
	return text
}
