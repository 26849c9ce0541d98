//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elares/ironcache/chaos/sweep"
)

// release builds the program as a release and gives its name.
func release(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	node, binary, replace := filepath.Join(dir, "node"), filepath.Join(dir, "ironcache"), filepath.Join(dir, "replace.json")
	if code, _, err := command(t, nil, "sim", "node", node); code != exitOK {
		t.Fatal(err)
	}
	place, err := filepath.Abs("../../sim/wasm")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(place, "node.wasm.gz"): node, filepath.Join(place, "later.wasm.gz"): node,
	}})
	if err == nil {
		err = os.WriteFile(replace, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "release", "-overlay", replace, "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return binary
}

// A release needs neither the Go toolchain nor a checkout, and a sweep that is
// interrupted goes on by the same command.
func TestReleaseSweeps(t *testing.T) {
	if os.Getenv("IRONCACHE_RELEASE") == "" {
		t.Skip("it builds a release, which takes a minute or two: IRONCACHE_RELEASE=1 wants it")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	binary, empty := release(t), t.TempDir()
	start := func() (c *exec.Cmd, out, errs *bytes.Buffer) {
		c = exec.CommandContext(t.Context(), binary, strings.Fields("sim --seeds 40 --seconds 4 --nodes 1 --clients 1 --faults none --out kept --json")...)
		out, errs = new(bytes.Buffer), new(bytes.Buffer)
		c.Dir, c.Stdout, c.Stderr = empty, out, errs
		c.Env = []string{"PATH=" + empty, "XDG_CACHE_HOME=" + cache, "HOME=" + filepath.Dir(cache)}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c, out, errs
	}
	c, out, errs := start()
	began := func() bool {
		text, _ := os.ReadFile(filepath.Join(empty, "kept", "journal-0001.jsonl"))
		return bytes.Count(text, []byte("\n")) > 2
	}
	for by := time.Now().Add(2 * time.Minute); !began() && time.Now().Before(by); {
		time.Sleep(time.Millisecond)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	first := bytes.Count(out.Bytes(), []byte("\n"))
	if c.ProcessState.ExitCode() != exitInterrupted || first < 2 || first >= 40 || !strings.Contains(errs.String(),
		"this goes on: ironcache sim --from 0 --seeds 40 --nodes 1 --clients 1 --seconds 4 --faults none --json --out kept\n") {
		t.Fatalf("%v after %d seeds: %s", c.ProcessState, first, errs)
	}
	c, out, errs = start()
	_ = c.Wait()
	if c.ProcessState.ExitCode() != exitOK || !strings.Contains(errs.String(), "40 of 40 seeds, 1 of them twice") {
		t.Errorf("%v: %s", c.ProcessState, errs)
	}
	seen := map[uint64]bool{}
	for line := range strings.Lines(out.String()) {
		var o sweep.Outcome
		if err := json.Unmarshal([]byte(line), &o); err != nil || o.Trace == "" || o.Class != "ok" || o.CPU <= 0 {
			t.Errorf("%v: %s", err, line)
		}
		seen[o.Seed] = true
	}
	if len(seen) != 40 {
		t.Errorf("%d seeds", len(seen))
	}
}
