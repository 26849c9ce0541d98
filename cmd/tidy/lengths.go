package main

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
)

// Bounds of lengths, in lines.
const (
	functionMax  = 70
	functionMost = 35 // nine functions of ten
	fileMax      = 500
	testFileMax  = 700
)

// tables are files of data: rows, not code, set their length.
func isTable(f *File) bool { return strings.HasPrefix(path.Base(f.Path), "table") }

func (t *Tree) lines(n ast.Node) int {
	return t.Set.Position(n.End()).Line - t.Set.Position(n.Pos()).Line + 1
}

// lengthsOf lists the lengths of all functions of production code, sorted.
func lengthsOf(t *Tree) (lengths []int) {
	t.Go(false, func(f *File) {
		for _, decl := range f.AST.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				lengths = append(lengths, t.lines(fn))
			}
		}
	})
	slices.Sort(lengths)
	return lengths
}

// percentile is the p-th percentile of sorted numbers, 0 of none.
func percentile(sorted []int, p int) int {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)*p/100]
}

func functionLengths(t *Tree) (findings []string) {
	t.Go(true, func(f *File) {
		for _, decl := range f.AST.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && t.lines(fn) > functionMax {
				findings = append(findings, fmt.Sprintf("%s: %s has %d lines", t.at(fn.Pos()), fn.Name.Name, t.lines(fn)))
			}
		}
	})
	if most := percentile(lengthsOf(t), 90); most > functionMost {
		findings = append(findings, fmt.Sprintf("the tree: a tenth of all functions has over %d lines", most))
	}
	return findings
}

func fileLengths(t *Tree) (findings []string) {
	t.Go(true, func(f *File) {
		limit := fileMax
		if f.Test() {
			limit = testFileMax
		}
		if n := strings.Count(string(f.Text), "\n"); n > limit && !isTable(f) {
			findings = append(findings, fmt.Sprintf("%s: %d lines", f.Path, n))
		}
	})
	return findings
}
