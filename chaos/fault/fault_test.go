package fault

import (
	"slices"
	"testing"
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

func TestNearest(t *testing.T) {
	for name, want := range map[string]string{"pausse": "pause", "crash_at_call": "crash-at-call", "partion": "partition", "rot": "reset"} {
		if got := Nearest(name); got != want {
			t.Errorf("nearest to %q is %q, want %q", name, got, want)
		}
	}
}
