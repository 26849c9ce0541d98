package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

// versionCommand tells what was built, from what and with what.
type versionCommand struct{}

// Run prints three lines: version, commit, Go version and platform.
func (versionCommand) Run(p *program) error {
	b := readBuild()
	_, err := fmt.Fprintf(p.out, "ironcache %s\ncommit %s\n%s %s/%s\n",
		b.version, b.commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// build is what the Go tool stamped into the binary.
type build struct {
	version string // of the module; "devel" when built from a folder without one
	commit  string // with its time, and whether the tree had changes; "unknown" without version control
	clean   string // the commit alone; empty if it is unknown or the tree had changes
}

// unknownCommit is the commit of what was built without version control.
const unknownCommit = "unknown"

func readBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return build{version: "devel", commit: unknownCommit}
	}
	return buildOf(info)
}

func buildOf(info *debug.BuildInfo) build {
	b := build{version: info.Main.Version, commit: unknownCommit}
	if b.version == "" || b.version == "(devel)" {
		b.version = "devel"
	}
	stamps := make(map[string]string)
	for _, s := range info.Settings {
		stamps[s.Key] = s.Value
	}
	if commit := stamps["vcs.revision"]; commit != "" {
		b.commit = commit + " of " + stamps["vcs.time"]
	}
	if stamps["vcs.modified"] == "true" {
		b.commit += ", with changes"
	} else {
		b.clean = stamps["vcs.revision"]
	}
	return b
}

// identity names the program: by the commit it was built from, or by its bytes where
// no commit says all.
func (b build) identity() (string, error) {
	if b.clean != "" {
		return "commit " + b.clean, nil
	}
	name, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the program itself: %w", err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("read the program itself: %w", err)
	}
	return fmt.Sprintf("a program with the hash %.8x", sha256.Sum256(text)), nil
}
