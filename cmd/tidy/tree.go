package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// module is the import path of the tree's root.
const module = "github.com/elares/ironcache"

// A File is a text file of the tree.
type File struct {
	Path string // with slashes, from the root
	Text []byte
	AST  *ast.File // nil unless it is Go source of the root module outside testdata
}

// Dir is the folder of the file, "." for the root.
func (f *File) Dir() string { return path.Dir(f.Path) }

// Test tells whether the file is part of tests alone.
func (f *File) Test() bool { return strings.HasSuffix(f.Path, "_test.go") }

// A Tree is the source of the repository.
type Tree struct {
	Files []*File
	Set   *token.FileSet
}

// Load reads the tree whose root is at or above dir. In a git checkout it reads
// what git tracks or would add; elsewhere everything.
func Load(dir string) (*Tree, error) {
	root, err := findRoot(dir)
	if err != nil {
		return nil, err
	}
	paths, err := list(root)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, p := range paths {
		text, err := os.ReadFile(filepath.Join(root, p))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, and git does not know yet
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", p, err)
		}
		texts[p] = text
	}
	return parse(texts)
}

// parse makes a tree of texts by path.
func parse(texts map[string][]byte) (*Tree, error) {
	t := &Tree{Set: token.NewFileSet()}
	modules := nestedModules(texts)
	for p, text := range texts {
		if bytes.IndexByte(text, 0) >= 0 {
			continue // not text
		}
		f := &File{Path: p, Text: text}
		if strings.HasSuffix(p, ".go") && !inData(p) && !within(p, modules) {
			tree, err := parser.ParseFile(t.Set, p, text, parser.ParseComments)
			if err != nil {
				return nil, fmt.Errorf("parse %s: %w", p, err)
			}
			f.AST = tree
		}
		t.Files = append(t.Files, f)
	}
	slices.SortFunc(t.Files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	return t, nil
}

func findRoot(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for ; ; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && bytes.HasPrefix(text, []byte("module "+module+"\n")) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod of %s here or above", module)
		}
	}
}

func list(root string) ([]string, error) {
	out, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err == nil {
		return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
	}
	var paths []string
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(root, p)
			paths = append(paths, filepath.ToSlash(rel))
		}
		return err
	})
	return paths, err
}

// nestedModules lists the folders of modules other than the root's.
func nestedModules(texts map[string][]byte) (dirs []string) {
	for p := range texts {
		if path.Base(p) == "go.mod" && p != "go.mod" {
			dirs = append(dirs, path.Dir(p))
		}
	}
	return dirs
}

// inData tells whether a path is test data, which no rule for code reads.
func inData(p string) bool {
	return slices.Contains(strings.Split(p, "/"), "testdata")
}

// within tells whether a path is, or lies below, one of the folders.
func within(p string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") })
}

// Go calls fn for every parsed file, production code only unless tests is set.
func (t *Tree) Go(tests bool, fn func(*File)) {
	for _, f := range t.Files {
		if f.AST != nil && (tests || !f.Test()) {
			fn(f)
		}
	}
}

// at names a place.
func (t *Tree) at(pos token.Pos) string {
	place := t.Set.Position(pos)
	return fmt.Sprintf("%s:%d", place.Filename, place.Line)
}
