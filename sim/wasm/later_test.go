package wasm

import (
	"go/parser"
	"go/token"
	"path/filepath"
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
