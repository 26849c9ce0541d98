package fault

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/wasm"
)

func TestTable(t *testing.T) {
	names := []string{}
	for _, f := range Table {
		names = append(names, f.Name)
		if f.Does == "" || f.Seen == "" || f.Draw == nil || f.Begin == nil || Find(f.Name).Name != f.Name {
			t.Errorf("the row of %q lacks something", f.Name)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(Table) {
		t.Errorf("rows are not sorted, or there are two of a name: %v", names)
	}
	if Find("no such") != nil {
		t.Error("a fault without a row")
	}
}

// An unknown name is answered by the one that is near, if one is.
func TestUnknown(t *testing.T) {
	for name, want := range map[string]string{
		"pausse": `did you mean "pause"?`, "crash_at_call": `did you mean "crash-at-call"?`, "partion": `did you mean "partition"?`, "rest": `did you mean "reset"?`,
		"nosuch": "ironcache sim list lists them", "": "ironcache sim list lists them",
	} {
		if got := Unknown("fault", name, Names()).Error(); got != fmt.Sprintf("there is no fault %q: %s", name, want) {
			t.Errorf("%q: %s", name, got)
		}
	}
}

// Without a later version of the node, a fault that needs one says so.
func TestNoLaterVersion(t *testing.T) {
	for _, f := range Table {
		if !f.Later {
			continue
		}
		s := NewStage(wasm.NewCluster(1, sim.Mix{}), &wasm.Module{})
		g := f.Begin(s, Event{Fault: f.Name, For: 1000})
		if s.Failed == nil || !strings.Contains(s.Failed.Error(), "no later version") || g.Seen() {
			t.Errorf("%s: %v", f.Name, s.Failed)
		}
	}
}
