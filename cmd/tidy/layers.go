package main

import (
	"fmt"
	"strconv"
	"strings"
)

// layers lists the folders from the bottom up. A package belongs to the
// longest folder that holds it, and imports packages of its own or earlier
// layers only.
var layers = []string{
	"sim/env",
	"sim/invariant",
	"slots",
	"linearize/strict",
	"linearize",
	"engine/resp",
	"engine/config",
	"engine/value",
	"engine/keyspace",
	"engine/evict",
	"engine/persist",
	"engine/command",
	"engine",
	"raftlog/state",
	"raftlog",
	"slots/replicate",
	"slots/migrate",
	"netio",
	"netio/host",
	"sim",
	"chaos",
	"cmd/ironcache",
	"cmd/tidy",
	"research",
}

// layerOf tells the layer of a package folder, -1 if it has none.
func layerOf(dir string) int {
	best := -1
	for i, layer := range layers {
		if within(dir, []string{layer}) && (best < 0 || len(layer) > len(layers[best])) {
			best = i
		}
	}
	return best
}

func layering(t *Tree) (findings []string) {
	t.Go(false, func(f *File) {
		own := layerOf(f.Dir())
		if own < 0 {
			findings = append(findings, fmt.Sprintf("%s: the folder %s is in no layer", f.Path, f.Dir()))
			return
		}
		for _, spec := range f.AST.Imports {
			dir, ours := strings.CutPrefix(importPath(spec.Path.Value), module+"/")
			if ours && layerOf(dir) > own {
				findings = append(findings, fmt.Sprintf("%s: %s may not import %s, which lies above it", t.at(spec.Pos()), f.Dir(), dir))
			}
		}
	})
	return findings
}

func importPath(literal string) string {
	text, err := strconv.Unquote(literal)
	if err != nil {
		return literal
	}
	return text
}

func (f *File) importPaths() (paths []string) {
	for _, spec := range f.AST.Imports {
		paths = append(paths, importPath(spec.Path.Value))
	}
	return paths
}
