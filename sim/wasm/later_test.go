package wasm

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// The later version changes text that is there, into Go. It is built only when a run
// has it.
func TestLaterIsOfThisCheckout(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	texts, err := laterTexts(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
			t.Error(err)
		}
	}
	if _, err := laterTexts(filepath.Join(root, "sim")); err == nil {
		t.Error("a folder without the files has a later version")
	}
}

// Two versions are of one source: when it has changed since the node was built, there
// is no later version of it any more.
func TestLaterIsOfTheSameSource(t *testing.T) {
	give := func(text string) func() ([]byte, error) { return func() ([]byte, error) { return []byte(text), nil } }
	hash := hashOf([]byte("node"))
	if text, err := laterOf(hash, give("later"), give("node")); err != nil || string(text) != "later" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := laterOf(hash, give("later"), give("node, changed")); err == nil || !strings.Contains(err.Error(), "the checkout has changed") {
		t.Errorf("the source has changed: %v", err)
	}
}
