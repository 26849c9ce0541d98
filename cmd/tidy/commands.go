package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

const (
	commandDir = "engine/command"
	scriptDir  = commandDir + "/testdata/scripts/"
)

// commandRows finds rows of the command table without documentation or script.
// A command has a script of its name; a subcommand has at least a line in one
// that begins with its words.
func commandRows(t *Tree) (findings []string) {
	scripts := map[string]string{}
	for _, f := range t.Files {
		if name, ok := strings.CutPrefix(f.Path, scriptDir); ok {
			scripts[strings.TrimSuffix(name, ".txt")] = string(f.Text)
		}
	}
	t.Go(false, func(f *File) {
		if f.Dir() != commandDir {
			return
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			name, summary := commandRow(n)
			if name == "" {
				return true
			}
			if summary == "" {
				findings = append(findings, fmt.Sprintf("%s: %s has no summary", t.at(n.Pos()), name))
			}
			if !scripted(name, scripts) {
				findings = append(findings, fmt.Sprintf("%s: %s has no script", t.at(n.Pos()), name))
			}
			return false
		})
	})
	return findings
}

// commandRow reads name and summary of a table row; a node that is none has no name.
func commandRow(n ast.Node) (name, summary string) {
	row, ok := n.(*ast.CompositeLit)
	if !ok || row.Type != nil { // elements of []Row carry no type
		return "", ""
	}
	fields := keyed(row)
	if fields["Arity"] == nil {
		return "", ""
	}
	if doc, ok := fields["Doc"].(*ast.CompositeLit); ok {
		summary = text(keyed(doc)["Summary"])
	}
	return text(fields["Name"]), summary
}

func keyed(lit *ast.CompositeLit) map[string]ast.Expr {
	fields := map[string]ast.Expr{}
	for _, element := range lit.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := pair.Key.(*ast.Ident); ok {
			fields[key.Name] = pair.Value
		}
	}
	return fields
}

func text(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		return importPath(lit.Value)
	}
	return ""
}

func scripted(name string, scripts map[string]string) bool {
	words := strings.Split(name, "|")
	if len(words) == 1 {
		_, ok := scripts[name]
		return ok
	}
	line := regexp.MustCompile(`(?mi)^` + regexp.QuoteMeta(strings.Join(words, " ")) + `\b`)
	for file, text := range scripts {
		if (file == words[0] || strings.HasPrefix(file, words[0]+"_")) && line.MatchString(text) {
			return true
		}
	}
	return false
}
