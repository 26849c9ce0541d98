package fault

import (
	"strings"
	"testing"

	"github.com/elares/ironcache/raftlog/state"
)

// A program that is too old for what a cluster has decided says so in the words by which
// a stage knows it.
func TestRefusalIsWhatAProgramSays(t *testing.T) {
	later := (&state.State{}).Snapshot()
	later[2] = state.NewestVersion + 1 // behind the snapshot's own version and the last entry's index
	if err := new(state.State).Restore(later); err == nil || !strings.Contains(err.Error(), refusal) {
		t.Errorf("%v, which does not say %q", err, refusal)
	}
}
