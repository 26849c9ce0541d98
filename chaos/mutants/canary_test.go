package mutants

import (
	"bytes"
	"path/filepath"
	"testing"
)

// The canary's line is there, and its change is Go.
func TestCanary(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	_, text, err := Canary(300).text(root)
	if err != nil || !bytes.Contains(text, []byte("c.Rand.Uint64()%300 == 0")) {
		t.Error(err)
	}
}
