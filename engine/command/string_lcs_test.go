package command

import (
	"strings"
	"testing"
)

// The table of a long LCS lies in mapped memory, which is back when the command
// ends; in Go's heap it would count until a collection, and push keys out.
func TestLCSTableIsNoHeap(t *testing.T) {
	memory := &short{}
	w := newWorldOn(t, 1, memory)
	w.doWords("mset", "a", strings.Repeat("ab", 300), "b", strings.Repeat("ba", 300))
	store := w.call.own
	live, reserved := store.Live(), store.Stats().Reserved
	w.check([2]string{"lcs a b len", ":599"})
	for store.Work(1000) {
	}
	if n := store.Live() - live; n != 0 || store.Stats().Reserved != reserved {
		t.Errorf("%d bytes are counted", n)
	}
	memory.used = true
	if got := w.do("lcs a b len"); !strings.HasPrefix(got, "-ERR Insufficient memory") {
		t.Errorf("without memory to map: %q", got)
	}
}
