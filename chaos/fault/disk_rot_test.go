package fault

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
)

// A node refuses a log that has rotted, on whatever bit, and not one of which a crash
// tore the end off: what rots is never taken for that. Most of it is what the last
// entries hold.
func TestRotOfALogIsRefused(t *testing.T) {
	logs, late := 0, 0
	for seed := range uint64(200) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			disk := tornStore(t, seed)
			d := Dice{sim.NewRand(seed)}
			name := "/data/raft/log/0000000000000001.seg"
			before := string(disk.TextOf(name))
			if !strings.HasSuffix(rot(disk, d, d.Between(0, 1<<40)), ".seg") {
				return
			}
			logs++
			at := 0
			for before[at] == disk.TextOf(name)[at] {
				at++
			}
			if at > len(before)-1024 {
				late++
			}
			if _, err := store.Open(disk, "/data/raft", store.Options{}); err == nil {
				t.Errorf("byte %d of %d has rotted, and the log is opened", at, len(before))
			}
			if _, err := store.Open(tornStore(t, seed), "/data/raft", store.Options{}); err != nil {
				t.Errorf("a log whose end is torn: %v", err)
			}
		})
	}
	if logs < 100 || late < logs/2 {
		t.Errorf("%d logs rotted, %d near their ends", logs, late)
	}
}

// tornStore is the disk of a node that a crash ended while it appended to its log.
func tornStore(t *testing.T, seed uint64) *sim.Disk {
	t.Helper()
	disk := sim.New(seed, sim.Mix{}).Machine().Disk
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(disk.MakeDir("/data"))
	must(disk.SyncDir("/"))
	s, err := store.Open(disk, "/data/raft", store.Options{})
	must(err)
	write := func(index uint64) error {
		return s.Log.StoreLog(&raft.Log{Index: index, Data: []byte("what is decided")[:index%2*15]})
	}
	for index := range uint64(40) {
		must(write(index + 1))
	}
	disk.Fault = func(act sim.Act, _ string) error {
		if act == sim.Syncing {
			return sim.ErrIO
		}
		return nil
	}
	if write(41) == nil {
		t.Fatal("a sync that failed was none")
	}
	disk.Fault = nil
	disk.Crash()
	return disk
}
