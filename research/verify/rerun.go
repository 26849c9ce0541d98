package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// rerun runs every script once and compares what it measures with the claims.
// With ids, only the scripts of these claims run.
func (b *book) rerun(only []string) (faults []string, err error) {
	dir, err := os.MkdirTemp("", "ironcache-verify-")
	if err != nil {
		return nil, fmt.Errorf("make a work folder: %w", err)
	}
	defer os.RemoveAll(dir)
	done := map[string]result{}
	for _, id := range b.ids() {
		c := b.claims[id]
		if c.Script == "" || len(only) > 0 && !slices.Contains(only, id) {
			continue
		}
		if _, ok := done[c.Script]; !ok {
			file := filepath.Join(dir, strconv.Itoa(len(done))+".json")
			if done[c.Script], err = b.runScript(c.Script, file); err != nil {
				return faults, err
			}
		}
		if fault := c.compare(done[c.Script]); fault != "" {
			faults = append(faults, fmt.Sprintf("claim %s: %s", id, fault))
		}
	}
	return faults, nil
}

func (b *book) runScript(script, file string) (result, error) {
	fmt.Fprintln(os.Stderr, "running", script)
	cmd := exec.Command("sh", "-c", strings.ReplaceAll(script, "{json}", file))
	cmd.Dir, cmd.Stdout, cmd.Stderr = b.root, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return result{}, fmt.Errorf("run %q: %w", script, err)
	}
	return readResult(file)
}

// compare tells how a measurement contradicts the claim; nothing if it does not.
func (c Claim) compare(r result) string {
	value, ok := r.Figures[c.Figure]
	if !ok {
		return fmt.Sprintf("measured again, there is no figure %q", c.Figure)
	}
	want, _ := strconv.ParseFloat(c.Value, 64)
	if math.Abs(value-want) > c.Tolerance*math.Abs(want) {
		return fmt.Sprintf("measured again %.3g%s, claimed %s%s, tolerance %.0f%%", value, c.Unit, c.Value, c.Unit, c.Tolerance*100)
	}
	return ""
}
