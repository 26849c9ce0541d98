package main

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
)

// outside lists the folders that may touch the world.
var outside = []string{
	"netio/host",    // the real world's side of the doors
	"sim/wasm",      // the simulator's
	"sim/guest",     // the other side of that, in the guest
	"chaos/proc",    // real processes and what is done to them
	"chaos/differ",  // speaks to servers over real sockets
	"chaos/clients", // client programs
	"chaos/sweep",   // many simulations on all cores, and files of those that failed
	"chaos/mutants", // builds nodes that are wrong
	"research",
	"cmd",
}

// worldly lists what only those folders may import.
var worldly = []string{"net", "os", "syscall", "golang.org/x/sys", "crypto/rand", "math/rand", "math/rand/v2"}

// pure lists packages below those that only compute.
var pure = []string{"net/netip", "net/url"}

// worldlyCalls lists functions of harmless packages that read the clock or wait.
var worldlyCalls = map[string][]string{
	"time": {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"},
}

// An exception of the doors and ownership rules: what a file, or a folder with a
// slash at its end (but not those below it), may use, and why.
type exception struct{ file, use, why string }

var exceptions = []exception{
	{"engine/evict/exchange.go", "sync/atomic", "shards tell each other how cold their next victim is"},
	{"engine/keyspace/ledger.go", "sync/atomic", "memory is accounted for the whole node; shards lease it in chunks"},
	{"raftlog/", "go", "hashicorp/raft has goroutines, and so has what goes with it; no data of users is near"},
	{"raftlog/", "net", "connections of the bus are those of package net"},
	{"raftlog/", "time.After", "what is waited for is bounded in times of package time; leases are counted by the Clock"},
	{"raftlog/", "time.NewTimer", "likewise"},
	{"raftlog/", "time.Now", "likewise"},
	{"raftlog/", "time.Until", "likewise"},
	{"raftlog/bus/", "go", "the bus's connections are for goroutines, as hashicorp/raft wants them"},
	{"raftlog/bus/", "net", "its connections are those of the interfaces of package net"},
	{"raftlog/bus/", "time.AfterFunc", "deadlines of such connections are times of package time"},
	{"raftlog/bus/", "time.Now", "likewise"},
	{"raftlog/bus/", "time.Until", "likewise"},
	{"sim/chance.go", "math/rand/v2", "the simulator's side of the door to chance: streams of a seed"},
}

func excepted(file, use string) bool {
	return slices.ContainsFunc(exceptions, func(e exception) bool {
		return (e.file == file || e.file == path.Dir(file)+"/") && e.use == use
	})
}

func doors(t *Tree) (findings []string) {
	t.Go(false, func(f *File) {
		if within(f.Dir(), outside) {
			return
		}
		for _, p := range f.importPaths() {
			if within(p, worldly) && !slices.Contains(pure, p) && !excepted(f.Path, p) {
				findings = append(findings, fmt.Sprintf("%s: imports %s", f.Path, p))
			}
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if use := worldlyUse(n); use != "" && !excepted(f.Path, use) {
				findings = append(findings, fmt.Sprintf("%s: uses %s", t.at(n.Pos()), use))
			}
			return true
		})
	})
	return findings
}

// worldlyUse names what of the outside world a node uses, if anything.
func worldlyUse(n ast.Node) string {
	if _, ok := n.(*ast.GoStmt); ok {
		return "go"
	}
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok || pkg.Obj != nil { // a variable, not a package
		return ""
	}
	for _, name := range worldlyCalls[pkg.Name] {
		if name == sel.Sel.Name {
			return pkg.Name + "." + name
		}
	}
	return ""
}

// owned lists the folders whose state one loop alone owns.
var owned = []string{"engine", "slots", "raftlog/state"}

func ownership(t *Tree) (findings []string) {
	t.Go(false, func(f *File) {
		if !within(f.Dir(), owned) {
			return
		}
		for _, p := range f.importPaths() {
			if (p == "sync" || p == "sync/atomic") && !excepted(f.Path, p) {
				findings = append(findings, fmt.Sprintf("%s: imports %s", f.Path, p))
			}
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if use := sharedUse(n); use != "" && !excepted(f.Path, use) {
				findings = append(findings, fmt.Sprintf("%s: uses %s", t.at(n.Pos()), use))
			}
			return true
		})
	})
	return findings
}

func sharedUse(n ast.Node) string {
	switch n.(type) {
	case *ast.ChanType:
		return "chan"
	case *ast.SelectStmt:
		return "select"
	case *ast.SendStmt:
		return "<-"
	}
	return ""
}

// noInit finds init functions outside tests.
func noInit(t *Tree) (findings []string) {
	t.Go(false, func(f *File) {
		for _, decl := range f.AST.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && strings.EqualFold(fn.Name.Name, "init") {
				findings = append(findings, fmt.Sprintf("%s: func init", t.at(fn.Pos())))
			}
		}
	})
	return findings
}
