package main

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
)

// testName matches the name of a test.
var testName = regexp.MustCompile(`\bTest[A-Z]\w*`)

// promising lists the files that name tests: what they say is run must be there.
var promising = []string{"README.md", "docs/simulator.md", "Makefile", "test.sh"}

// namedTests finds tests that a file names and that are not there. A pattern that
// matches no test passes without a word.
func namedTests(t *Tree) (findings []string) {
	there := map[string]bool{}
	t.Go(true, func(f *File) {
		for _, decl := range f.AST.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && f.Test() {
				there[fn.Name.Name] = true
			}
		}
	})
	for _, f := range t.Files {
		if !slices.Contains(promising, f.Path) {
			continue
		}
		for _, name := range testName.FindAllString(string(f.Text), -1) {
			if !there[name] {
				findings = append(findings, fmt.Sprintf("%s: there is no %s", f.Path, name))
			}
		}
	}
	return findings
}
