package raftlog

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
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

// decided is a cluster of one, in which a release follows the forming, and its machine
// with the first few of those entries applied.
func decided(t *testing.T, entries int, told *int) (m machine, apply func(index uint64)) {
	t.Helper()
	p := &Plane{
		id: state.ID{1}, world: env.World{Clock: &hands{}}, moved: make(chan struct{}), log: slog.New(slog.DiscardHandler),
		options: Options{WatchApply: func(_, _ uint64, _ []byte, _ func() []byte) { *told++ }},
	}
	p.leading = newLeading(p)
	p.view.Store(&View{Map: slots.NewMap()})
	all := []slots.Range{{First: 0, Last: 99}}
	list := []state.Entry{
		&state.Form{Founders: []state.Founder{{ID: state.ID{1}, Incarnation: 1, Speaks: 1, Suffrage: state.Voter, Owns: all,
			Address: state.Address{Host: "10.0.0.1", Port: 1, BusPort: 2, ReplicationPort: 3}}}},
		&state.Release{Node: 1, By: state.Stamp{Incarnation: 1, Sequence: 1}, Spans: []state.Span{{Range: all[0], Epoch: 1}}},
	}
	apply = func(index uint64) {
		t.Helper()
		text, err := state.Encode(list[index-1])
		if err != nil {
			t.Fatal(err)
		}
		machine{p}.Apply(&raft.Log{Index: index, Data: text})
	}
	for i := range entries {
		apply(uint64(i + 1))
	}
	return machine{p}, apply
}

// install has a machine restore what another one knows.
func install(t *testing.T, to, from machine) {
	t.Helper()
	if err := to.Restore(io.NopCloser(bytes.NewReader(from.plane.state.Snapshot()))); err != nil {
		t.Fatal(err)
	}
}

// The library installs a leader's snapshot also where this node has applied more, and
// then has it apply the rest again. The node must not go back meanwhile: it would
// answer for slots that it has given up since.
func TestRestoreDoesNotGoBack(t *testing.T) {
	told := 0
	early, _ := decided(t, 1, new(int))
	m, apply := decided(t, 2, &told)
	p := m.plane
	if s := p.View().Map.At(7); s.Standing != slots.Released {
		t.Fatalf("%+v", s)
	}
	install(t, m, early)
	if s := p.View().Map.At(7); s.Standing != slots.Released {
		t.Errorf("after an early snapshot: %+v", s)
	}
	apply(2)
	if told != 2 || p.state.Changed() != 2 {
		t.Errorf("%d entries were applied, the last one that changed something was %d", told, p.state.Changed())
	}
}

// A leader's snapshot of a later time takes the place of what this node knew, and
// entries that it covers are not applied again.
func TestRestoreGoesForward(t *testing.T) {
	told := 0
	late, _ := decided(t, 2, new(int))
	m, apply := decided(t, 1, &told)
	install(t, m, late)
	apply(2)
	if s := m.plane.View().Map.At(7); s.Standing != slots.Released || told != 1 {
		t.Errorf("%d entries were applied, and then %+v", told, s)
	}
	if !bytes.Equal(m.plane.state.Snapshot(), late.plane.state.Snapshot()) {
		t.Errorf("the state is another one than that of the snapshot")
	}
}
