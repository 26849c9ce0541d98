//go:build !wasip1

package store_test

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/netio/host"
	"github.com/elares/ironcache/raftlog/store"
)

// The library reads, appends and compacts from several goroutines.
func TestConcurrentUse(t *testing.T) {
	s, err := store.Open(host.NewDisk(), filepath.Join(t.TempDir(), "raft"), store.Options{SegmentSize: 2000})
	must(t, err)
	log := s.Log
	must(t, log.StoreLogs(entries(1, 10, 1)))
	var wait sync.WaitGroup
	wait.Go(func() {
		for index := uint64(11); index <= 300; index++ {
			if err := log.StoreLog(entry(index, 1)); err != nil {
				t.Error(err)
			}
		}
	})
	wait.Go(func() {
		for last := uint64(0); last < 300; last, _ = log.LastIndex() {
			if err := log.DeleteRange(0, last-min(last, 10)); err != nil {
				t.Error(err)
			}
		}
	})
	for range 2 {
		wait.Go(func() {
			for last := uint64(0); last < 300; last, _ = log.LastIndex() {
				var got raft.Log
				switch err := log.GetLog(last, &got); {
				case err == raft.ErrLogNotFound:
				case err != nil || !same(&got, entry(last, 1)):
					t.Error(got, err)
				}
			}
		})
	}
	wait.Wait()
	must(t, s.Close())
}
