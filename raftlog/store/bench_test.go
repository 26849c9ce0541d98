//go:build !wasip1

package store_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim/env"
	"github.com/hashicorp/raft"
)

// BenchmarkStoreLogs appends batches of entries of 128 bytes: on the simulated
// disk what the store itself costs, on the system's with its syncs.
func BenchmarkStoreLogs(b *testing.B) {
	for _, on := range []string{"simulated", "real"} {
		for _, size := range []int{1, 64} {
			b.Run(fmt.Sprintf("%s/%d", on, size), func(b *testing.B) {
				var disk env.Disk = newDisk(1)
				folder := dir
				if on == "real" {
					disk, folder = host.NewDisk(), filepath.Join(b.TempDir(), "raft")
				}
				s, err := store.Open(disk, folder, store.Options{})
				must(b, err)
				batch := make([]*raft.Log, size)
				for i := range batch {
					batch[i] = &raft.Log{Term: 1, Data: make([]byte, 128)}
				}
				next := uint64(1)
				b.ReportAllocs()
				b.SetBytes(int64(128 * size))
				for b.Loop() {
					for _, log := range batch {
						log.Index = next
						next++
					}
					must(b, s.Log.StoreLogs(batch))
					if next%8192 == 1 {
						must(b, s.Log.DeleteRange(0, next-2))
					}
				}
				must(b, s.Close())
			})
		}
	}
}

// BenchmarkGetLog reads entries of 128 bytes.
func BenchmarkGetLog(b *testing.B) {
	s, err := store.Open(host.NewDisk(), filepath.Join(b.TempDir(), "raft"), store.Options{})
	must(b, err)
	for index := range uint64(1000) {
		must(b, s.Log.StoreLog(&raft.Log{Index: index + 1, Term: 1, Data: make([]byte, 128)}))
	}
	var got raft.Log
	index := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		must(b, s.Log.GetLog(index%1000+1, &got))
		index += 7
	}
	must(b, s.Close())
}
