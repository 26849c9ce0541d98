package wasm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// Build compiles the node of a checkout with the Go toolchain and gives the
// module's bytes. dir is any folder of the checkout. The toolchain's own cache
// makes a second build quick; the same source gives the same bytes.
func Build(ctx context.Context, dir string) ([]byte, error) { return BuildWith(ctx, dir, nil) }

// BuildWith is Build with other text in some files, by their absolute names. The
// files stay as they are.
func BuildWith(ctx context.Context, dir string, texts map[string][]byte) ([]byte, error) {
	folder, err := os.MkdirTemp("", "ironcache-guest-")
	if err != nil {
		return nil, fmt.Errorf("wasm: build the node: %w", err)
	}
	defer os.RemoveAll(folder)
	out := filepath.Join(folder, "guest.wasm")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out}
	if len(texts) > 0 {
		name, err := overlay(folder, texts)
		if err != nil {
			return nil, fmt.Errorf("wasm: build the node: %w", err)
		}
		args = append(args, "-overlay", name)
	}
	build := exec.CommandContext(ctx, "go", append(args, "github.com/elares/ironcache/sim/guest")...)
	build.Dir = dir
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	text, err := build.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("wasm: the node is built with the Go toolchain, and no go command is in PATH: install Go, or use a release, which holds the node")
	}
	if err != nil {
		if !InCheckout(dir) {
			return nil, fmt.Errorf("wasm: the node is built from source, and %s is in no checkout of IronCache: run this in one, or use a release, which holds the node", dir)
		}
		return nil, fmt.Errorf("wasm: build the node: %w: %s", err, bytes.TrimSpace(text))
	}
	return os.ReadFile(out)
}

// overlay writes the file that the option -overlay of go build names.
func overlay(folder string, texts map[string][]byte) (string, error) {
	replace := map[string]string{}
	for name, text := range texts {
		to := filepath.Join(folder, strconv.Itoa(len(replace))+".go")
		if err := os.WriteFile(to, text, 0o600); err != nil {
			return "", err
		}
		replace[name] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "overlay.json")
	return name, os.WriteFile(name, text, 0o600)
}

// Root is the folder of the checkout that a folder is in.
func Root(ctx context.Context, dir string) (string, error) {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/elares/ironcache")
	list.Dir = dir
	text, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("wasm: %s is in no checkout: %w", dir, err)
	}
	return string(bytes.TrimSpace(text)), nil
}

// InCheckout tells whether a folder is in a checkout, as far as files tell.
func InCheckout(dir string) bool {
	dir, err := filepath.Abs(dir)
	for ; err == nil; dir = filepath.Dir(dir) {
		text, _ := os.ReadFile(filepath.Join(dir, "go.mod"))
		if bytes.HasPrefix(text, []byte("module github.com/elares/ironcache\n")) {
			return true
		}
		if filepath.Dir(dir) == dir {
			break
		}
	}
	return false
}
