package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
)

func TestSimMistakes(t *testing.T) {
	wrong := filepath.Join(t.TempDir(), "wrong.plan")
	text := `{"format":"ironcache-plan","version":1,"seed":7,"nodes":3,"shards":1,"clients":6,"workload":"register","heal":18000,"end":30000,"network":{}}
{"at":4000,"fault":"partion","node":2}
`
	if err := os.WriteFile(wrong, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"sim --seeds 0", "0 seeds"},
		{"sim --faults pausse", `there is no fault "pausse": did you mean "pause"?`},
		{"sim --workload none", `there is no workload "none"`},
		{"sim --nodes 99", "99 nodes: it must be 1 to 15"},
		{"sim --seconds 4000", "4000 seconds"},
		{"sim plan", "either a file or --seed"},
		{"sim plan " + wrong, `line 2: there is no fault "partion": did you mean "partition"?`},
		{"sim replay " + t.TempDir(), "about.json"},
	} {
		code, _, err := command(t, nil, strings.Fields(c.args)...)
		if code != exitUsage || !strings.Contains(err, c.want) {
			t.Errorf("%s: exit %d, %q, want %q", c.args, code, err, c.want)
		}
	}
}

func TestSimList(t *testing.T) {
	code, out, err := command(t, nil, "sim", "list")
	if code != exitOK {
		t.Fatal(err)
	}
	for _, f := range fault.Table {
		if !strings.Contains(out, f.Does) {
			t.Errorf("%s is not listed", f.Name)
		}
	}
}

// The plan that is printed for a seed is that which the seed runs.
func TestSimPrintsPlan(t *testing.T) {
	code, out, err := command(t, nil, "sim", "plan", "--seed", "5")
	if code != exitOK {
		t.Fatal(err)
	}
	p, readErr := plan.Read(strings.NewReader(out))
	if readErr != nil || p.Seed != 5 || len(p.Events) != len(plan.Draw(5, plan.Options{}).Events) {
		t.Errorf("%v: %+v", readErr, p)
	}
}

// Every class but ok has an exit code of its own.
func TestSimExitCodes(t *testing.T) {
	seen := map[int]judge.Class{exitOK: "", exitFailure: "", exitUsage: "", exitVacuous: ""}
	for _, class := range judge.Classes {
		err := verdict(class)
		if class == judge.OK {
			if err != nil {
				t.Errorf("ok is an error: %v", err)
			}
			continue
		}
		code := codeOf(err)
		if other, used := seen[code]; used {
			t.Errorf("%s and %q exit with %d", class, other, code)
		}
		seen[code] = class
	}
}
