package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/chaos/sweep"
)

// What is printed of a run is chosen by step, node and expression.
func TestSimTelling(t *testing.T) {
	happened := []play.Happening{
		{Step: 1, Kind: play.Life, Who: "node 0", Text: "starts, life 1"},
		{Step: 2, Kind: play.Sent, Who: "client 1", With: "node 1", Text: "get k", Message: 7},
		{Step: 3, Kind: play.Lease, Who: "node 1", Text: "holds its lease until 3.5 s"},
		{Step: 3, Kind: play.Lease, Who: "node 10", Text: "holds its lease until 4.5 s"},
	}
	one := 1
	for name, c := range map[string]struct {
		telling simTelling
		want    []string
	}{
		"all":        {simTelling{Log: true}, []string{"starts", "#7 get k", "3.5 s", "4.5 s"}},
		"until":      {simTelling{Until: 2}, []string{"starts", "get k"}},
		"node":       {simTelling{Node: &one}, []string{"get k", "3.5 s"}},
		"grep":       {simTelling{Grep: `lease.*[34]\.5`}, []string{"3.5 s", "4.5 s"}},
		"everything": {simTelling{Until: 3, Node: &one, Grep: "^3 .*holds"}, []string{"3.5 s"}},
	} {
		var out strings.Builder
		w := bufio.NewWriter(&out)
		watch, err := c.telling.watch(w, 11)
		if err != nil {
			t.Fatal(err)
		}
		for i := range happened {
			watch(&happened[i])
		}
		w.Flush()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != len(c.want) {
			t.Errorf("%s: %q", name, lines)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(lines[i], want) {
				t.Errorf("%s: %q lacks %q", name, lines[i], want)
			}
		}
	}
	if watch, err := (&simTelling{}).watch(nil, 3); watch != nil || err != nil {
		t.Error("something is printed that nobody asked for")
	}
}

// bundled is a folder with the head and the plan of a run.
func bundled(t *testing.T, about sweep.About) string {
	t.Helper()
	dir := t.TempDir()
	text, err := json.Marshal(about)
	if err != nil {
		t.Fatal(err)
	}
	plan := `{"format":"ironcache-plan","version":1,"seed":7,"nodes":3,"shards":1,"clients":6,"workload":"register","heal":18000,"end":30000,"network":{}}`
	for name, text := range map[string]string{"about.json": string(text), "plan.jsonl": plan} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSimBundleMistakes(t *testing.T) {
	ok := bundled(t, sweep.About{Class: judge.OK})
	lease := bundled(t, sweep.About{Class: judge.Safety, Findings: []judge.Finding{{Judge: "lease", Class: judge.Safety}}})
	mutant := bundled(t, sweep.About{Origin: sweep.Origin{Mutant: "for-evre"}})
	for _, c := range []struct{ args, want string }{
		{"sim replay " + ok + " --node 3", "node 3: nodes are 0 to 2"},
		{"sim replay " + ok + " --grep [", "--grep: error parsing regexp"},
		{"sim replay " + ok + " --until=-1", "until step -1"},
		{"sim replay " + mutant, `there is no mutant "for-evre": did you mean "for-ever"?`},
		{"sim --mutant for-evre", `there is no mutant "for-evre"`},
		{"sim shrink " + ok, "no judge found anything"},
		{"sim shrink " + lease + " --judge states", `judge "states" found nothing`},
		{"sim shrink " + lease + " --budget soon", `"soon": it must be a time`},
		{"sim shrink " + lease + " --salts 0", "0 salts"},
	} {
		if code, _, err := command(t, nil, strings.Fields(c.args)...); code != exitUsage || !strings.Contains(err, c.want) {
			t.Errorf("%s: exit %d, %q, want %q", c.args, code, err, c.want)
		}
	}
}

// A bundle of other bytes is refused with the hash that it wants, and with the commit
// if that is known.
func TestSimBundleOfOtherBytes(t *testing.T) {
	about := &sweep.About{Module: "cafe", Origin: sweep.Origin{Commit: "c0ffee"}}
	if err := sameBytes("cafe", about); err != nil {
		t.Error(err)
	}
	err := sameBytes("babe", about)
	if err == nil || codeOf(err) != exitUsage {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{"of a node with the hash cafe", "has one with babe", "check out the commit that made the bundle, c0ffee"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
}

func TestSimBudget(t *testing.T) {
	for text, want := range map[string]budget{
		"90": {90 * time.Second, 0}, "90s": {90 * time.Second, 0}, "10m": {10 * time.Minute, 0}, "500runs": {0, 500},
	} {
		var b budget
		if err := b.UnmarshalText([]byte(text)); err != nil || b != want {
			t.Errorf("%s: %+v, %v", text, b, err)
		}
	}
	for _, text := range []string{"", "0", "-5s", "0runs", "runs", "5hours"} {
		if err := new(budget).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is a budget", text)
		}
	}
}
