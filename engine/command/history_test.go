package command

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/resp"
)

// TestHistories: they are sorted, each is of a row, and its versions go up from
// the one in which the command came.
func TestHistories(t *testing.T) {
	if !slices.IsSortedFunc(histories, func(a, b history) int { return cmp.Compare(a.name, b.name) }) {
		t.Error("the histories are not sorted")
	}
	for _, h := range histories {
		row := Named([]byte(h.name))
		if row == nil {
			t.Errorf("%s is no command", h.name)
			continue
		}
		last := row.Doc.Since
		for _, c := range h.changes {
			if c.version < last || c.what == "" {
				t.Errorf("%s: %+v after %s", h.name, c, last)
			}
			last = c.version
		}
	}
}

// TestHistoryInDocs: it stands where redis-server 7.0 has it, between what is
// deprecated and the arguments.
func TestHistoryInDocs(t *testing.T) {
	got := written(3, func(w *resp.Writer) { WriteCommandDocs(w, []byte("cluster|slots")) })
	const want = " $11 replaced_by $14 CLUSTER SHARDS $7 history ~2 *2 $5 4.0.0 $30 The reply has the IDs of nodes *2 $5 7.0.0 $"
	if !strings.Contains(got, want) {
		t.Errorf("no %s in\n%s", want, got)
	}
}
