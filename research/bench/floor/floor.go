// Package floor builds the cheapest server that still speaks RESP: a C program
// that parses commands and answers constants. It tells what of a server's cost
// per command is the system's and cannot be saved. The source travels inside
// the benchmark and is compiled where it runs; nothing else needs a C compiler.
package floor

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed testdata/floor.c
var source []byte

// ErrNoCompiler says that the machine has no C compiler.
var ErrNoCompiler = errors.New("floor: no C compiler (cc) on this machine")

// Build compiles the server into a folder and tells the program's path. The
// program takes one argument, the port on 127.0.0.1.
func Build(dir string) (string, error) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return "", ErrNoCompiler
	}
	program, text := filepath.Join(dir, "floor"), filepath.Join(dir, "floor.c")
	if err := os.WriteFile(text, source, 0o600); err != nil {
		return "", fmt.Errorf("floor: write %s: %w", text, err)
	}
	if said, err := exec.Command(compiler, "-O2", "-o", program, text).CombinedOutput(); err != nil {
		return "", fmt.Errorf("floor: compile %s: %w\n%s", text, err, said)
	}
	return program, nil
}
