package main

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// packageDocs finds packages without a package comment.
func packageDocs(t *Tree) (findings []string) {
	documented := map[string]bool{}
	t.Go(false, func(f *File) {
		documented[f.Dir()] = documented[f.Dir()] || len(f.AST.Doc.Text()) > 0
	})
	for dir, ok := range documented {
		if !ok {
			findings = append(findings, dir+": no package comment")
		}
	}
	slices.Sort(findings)
	return findings
}

// conventional lists methods whose meaning is their interface's.
var conventional = []string{"Error", "String", "Unwrap"}

// docstrings finds exported names without a comment.
func docstrings(t *Tree) (findings []string) {
	t.Go(false, func(f *File) {
		if f.AST.Name.Name == "main" {
			return
		}
		for _, decl := range f.AST.Decls {
			for _, name := range undocumented(decl) {
				findings = append(findings, fmt.Sprintf("%s: %s has no comment", t.at(name.Pos()), name.Name))
			}
		}
	})
	return findings
}

func undocumented(decl ast.Decl) []*ast.Ident {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		method := d.Recv != nil
		if d.Doc == nil && d.Name.IsExported() && !(method && (hidden(d.Recv) || slices.Contains(conventional, d.Name.Name))) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		return undocumentedSpecs(d)
	}
	return nil
}

// hidden tells whether a receiver's type is not exported.
func hidden(receiver *ast.FieldList) bool {
	kind := receiver.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if index, ok := kind.(*ast.IndexExpr); ok {
		kind = index.X
	}
	name, ok := kind.(*ast.Ident)
	return ok && !name.IsExported()
}

// undocumentedSpecs takes a comment on the group for all of its names.
func undocumentedSpecs(d *ast.GenDecl) (names []*ast.Ident) {
	if d.Doc != nil {
		return nil
	}
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Doc == nil && s.Comment == nil && s.Name.IsExported() {
				names = append(names, s.Name)
			}
		case *ast.ValueSpec:
			if s.Doc == nil && s.Comment == nil {
				names = append(names, exported(s.Names)...)
			}
		}
	}
	return names
}

func exported(names []*ast.Ident) (list []*ast.Ident) {
	for _, name := range names {
		if name.IsExported() {
			list = append(list, name)
		}
	}
	return list
}

// codemap finds packages that README's section "Codemap" does not name.
func codemap(t *Tree) (findings []string) {
	named := readmeCodemap(t)
	seen := map[string]bool{}
	t.Go(false, func(f *File) {
		if dir := f.Dir(); !seen[dir] && !strings.Contains(named, "`"+dir+"`") {
			findings = append(findings, dir+": not in README's codemap")
		}
		seen[f.Dir()] = true
	})
	return findings
}

func readmeCodemap(t *Tree) string {
	for _, f := range t.Files {
		if f.Path != "README.md" {
			continue
		}
		_, rest, _ := strings.Cut(string(f.Text), "\n## Codemap\n")
		section, _, _ := strings.Cut(rest, "\n## ")
		return section
	}
	return ""
}
