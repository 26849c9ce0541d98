package raftlog

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/elares/ironcache/raftlog/state"
)

// A program that is too old for a snapshot stops, as it does at an entry. Any other
// snapshot that cannot be read is an error.
func TestSnapshotOfALaterVersionStopsTheNode(t *testing.T) {
	empty := (&state.State{}).Snapshot()
	later := bytes.Clone(empty)
	later[2] = state.NewestVersion + 1 // behind the snapshot's own version and the last entry's index
	restore := func(text []byte) (error, string) {
		return guarded(func() error { return machine{&Plane{}}.Restore(io.NopCloser(bytes.NewReader(text))) })
	}
	if _, stopped := restore(later); !strings.Contains(stopped, "this program understands") {
		t.Errorf("stopped: %q", stopped)
	}
	if err, stopped := restore(empty[:1]); err == nil || stopped != "" {
		t.Errorf("a part of a snapshot: %v, stopped: %q", err, stopped)
	}
}
