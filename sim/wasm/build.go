package wasm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Build compiles the node of a checkout with the Go toolchain and gives the
// module's bytes. dir is any folder of the checkout. The toolchain's own cache
// makes a second build quick; the same source gives the same bytes.
func Build(ctx context.Context, dir string) ([]byte, error) {
	folder, err := os.MkdirTemp("", "ironcache-guest-")
	if err != nil {
		return nil, fmt.Errorf("wasm: build the node: %w", err)
	}
	defer os.RemoveAll(folder)
	out := filepath.Join(folder, "guest.wasm")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out,
		"github.com/elares/ironcache/sim/guest")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	text, err := build.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("wasm: the node is built with the Go toolchain, and no go command is in PATH: install Go, or use a release, which holds the node")
	}
	if err != nil {
		return nil, fmt.Errorf("wasm: build the node: %w: %s", err, bytes.TrimSpace(text))
	}
	return os.ReadFile(out)
}
