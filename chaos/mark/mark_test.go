package mark

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim/wasm"
)

// The table is sorted, and has what the program's text tells of, once.
func TestTable(t *testing.T) {
	var names, told []string
	for _, m := range Table {
		names = append(names, m.Name)
		if m.Says == "" {
			t.Errorf("the row of %q lacks something", m.Name)
		}
		if m.shows == nil {
			told = append(told, m.Name)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(Table) {
		t.Errorf("rows are not sorted, or there are two of a name: %v", names)
	}
	if places := reached(t); !slices.Equal(places, told) {
		t.Errorf("the program reaches %q, and the table has %q", places, told)
	}
}

// reached lists the marks in the text of the program.
func reached(t *testing.T) (names []string) {
	call := regexp.MustCompile(`invariant\.Reached\("([^"]+)"\)`)
	for _, dir := range []string{"engine", "netio", "raftlog", "slots"} {
		err := filepath.WalkDir(filepath.Join("../..", dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			for _, m := range call.FindAllSubmatch(text, -1) {
				names = append(names, string(m[1]))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// What evidence shows is counted, and what is only alike is not.
func TestCount(t *testing.T) {
	a, b := judge.Life{Node: 0, Life: 1}, judge.Life{Node: 1, Life: 1}
	fence := func(by judge.Life, at, ends int64, released bool) judge.Fence {
		return judge.Fence{Life: by, Fencing: wasm.Fencing{At: at, Slots: []uint16{7}, Ends: ends, Released: released}}
	}
	lead := func(by judge.Life, at int64) judge.Lead { return judge.Lead{Life: by, Leading: wasm.Leading{At: at}} }
	stands := func(by judge.Life, role wasm.Role) judge.Standing {
		return judge.Standing{Life: by, Standing: wasm.Standing{Role: role}}
	}
	for _, c := range []struct {
		name string
		e    judge.Evidence
		want map[string]int
	}{
		{"nothing", judge.Evidence{}, map[string]int{}},
		{"a fence", judge.Evidence{Fences: []judge.Fence{fence(a, 1, 2, false)}}, map[string]int{"fence refused a reply": 1}},
		{"a leader", judge.Evidence{Fences: []judge.Fence{fence(a, 1, 9, true)}, Leads: []judge.Lead{lead(b, 5)}},
			map[string]int{"lead taken over while a lease is held": 1}},
		{"a leader of its own", judge.Evidence{Fences: []judge.Fence{fence(a, 1, 9, true)}, Leads: []judge.Lead{lead(a, 5)}}, map[string]int{}},
		{"a leader too late", judge.Evidence{Fences: []judge.Fence{fence(a, 1, 4, true)}, Leads: []judge.Lead{lead(b, 5)}}, map[string]int{}},
		{"hands", judge.Evidence{Fences: []judge.Fence{fence(a, 1, 9, true), fence(a, 2, 9, true), fence(b, 12, 20, true)}},
			map[string]int{"slot changed hands": 1}},
		{"elections", judge.Evidence{Standings: []judge.Standing{
			stands(a, wasm.Candidate), stands(b, wasm.Follower), stands(a, wasm.Follower), stands(b, wasm.Candidate), stands(b, wasm.Leader),
		}}, map[string]int{"election lost": 1}},
		{"ASK", judge.Evidence{Sent: 2}, map[string]int{"ASK followed": 2}},
		{"MOVED", judge.Evidence{Moved: 3}, map[string]int{"MOVED followed": 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.e.History = &linearize.History{}
			got := Count(&c.e, map[string]int{"log truncated": 2, "no mark": 1})
			c.want["log truncated"] = 2
			if len(got) != len(c.want) {
				t.Errorf("counted %v, want %v", got, c.want)
			}
			for name, n := range c.want {
				if got[name] != n {
					t.Errorf("counted %v, want %v", got, c.want)
				}
			}
		})
	}
	lost := &linearize.History{Operations: []linearize.Operation{{Outcome: linearize.Outcome{Result: linearize.Lost}}}}
	if got := Count(&judge.Evidence{History: lost}, nil); got["outcome of an operation unknown"] != 1 {
		t.Errorf("counted %v of a lost operation", got)
	}
}
