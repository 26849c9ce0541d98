package raftlog_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/elares/ironcache/raftlog/state"
)

// snapshots counts those that a node has on its disk.
func (g *group) snapshots(i int) int {
	files, err := filepath.Glob(g.options[i].Dir + "/raft/snapshots/*.snap")
	if err != nil {
		g.t.Fatal(err)
	}
	return len(files)
}

// With SnapshotEvery a node writes its state down after few entries, and one that
// was away for longer than the log reaches comes to know what was decided.
func TestSnapshotEvery(t *testing.T) {
	if testing.Short() {
		t.Skip("snapshots are taken once a second")
	}
	g := newGroup(t, 3, true)
	g.until("all vote", func() bool { return g.serving() && g.allVote() })
	g.stop(2)
	for i := range g.options {
		g.options[i].SnapshotEvery = 4
	}
	for i := range 2 {
		g.stop(i)
		g.start(i)
		g.until("the node is back", g.serving)
	}
	if g.snapshots(2) > 0 {
		t.Fatal("without SnapshotEvery there are snapshots already")
	}
	for range 20 {
		if _, err := g.planes[0].Propose(&state.BumpEpoch{Node: 1}, 10*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	g.until("snapshots are there", func() bool { return g.snapshots(0) > 0 && g.snapshots(1) > 0 })
	g.start(2)
	g.until("the third node has what was decided", func() bool {
		here, there := g.planes[0].View(), g.planes[2].View()
		return g.serving() && there.State.Member(1) != nil && there.State.Member(1).Epoch == here.State.Member(1).Epoch && g.snapshots(2) > 0
	})
}
