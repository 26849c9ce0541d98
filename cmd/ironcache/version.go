package main

import (
	"fmt"
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
}

func readBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return build{"devel", "unknown"}
	}
	return buildOf(info)
}

func buildOf(info *debug.BuildInfo) build {
	b := build{info.Main.Version, "unknown"}
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
	}
	return b
}
