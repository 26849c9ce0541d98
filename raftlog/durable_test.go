package raftlog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
)

// A node whose log cannot be trusted any more stops, so that it is started anew: it
// would otherwise be a member for ever that cannot follow. A write that fails and
// leaves nothing behind is no reason.
func TestBrokenLogStopsTheNode(t *testing.T) {
	disk := sim.New(1, sim.Mix{}).Machine().Disk
	if err := disk.MakeDir("/data"); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(disk, "/data/raft", store.Options{Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	fails := sim.Writing
	disk.Fault = func(act sim.Act, _ string) error {
		if act == fails {
			return sim.ErrIO
		}
		return nil
	}
	append := func() (err error, stopped string) {
		defer func() {
			if r := recover(); r != nil {
				stopped = fmt.Sprint(r)
			}
		}()
		return durable{s.Log}.StoreLog(&raft.Log{Index: 1, Term: 1, Data: []byte("a")}), ""
	}
	if err, stopped := append(); err == nil || stopped != "" {
		t.Errorf("a write failed: %v, stopped: %q", err, stopped)
	}
	fails = sim.Syncing
	if _, stopped := append(); !strings.Contains(stopped, "start the node again") {
		t.Errorf("a sync failed, stopped: %q", stopped)
	}
}
