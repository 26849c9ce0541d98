package floor

import (
	"errors"
	"os"
	"testing"
)

func TestBuild(t *testing.T) {
	program, err := Build(t.TempDir())
	if errors.Is(err, ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(program); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("no program at %s: %v", program, err)
	}
}
