package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
)

func TestLogContract(t *testing.T) {
	disk := newDisk(1)
	log := open(t, disk, store.Options{}).Log
	var got raft.Log
	if first, err := log.FirstIndex(); first != 0 || err != nil {
		t.Error(first, err)
	}
	if last, err := log.LastIndex(); last != 0 || err != nil {
		t.Error(last, err)
	}
	if err := log.GetLog(1, &got); !errors.Is(err, raft.ErrLogNotFound) {
		t.Error(err)
	}
	must(t, log.DeleteRange(0, 10))
	must(t, log.StoreLogs(nil))
	must(t, log.StoreLog(entry(1, 1)))
	must(t, log.StoreLogs(entries(2, 40, 3)))
	want := append(entries(1, 1, 1), entries(2, 40, 3)...)
	holds(t, log, want)
	for _, index := range []uint64{0, 41, 1 << 63} {
		if err := log.GetLog(index, &got); err != raft.ErrLogNotFound {
			t.Error(index, err)
		}
	}
	holds(t, open(t, disk, store.Options{}).Log, want)
	if raw := (&raft.Log{Index: 41}); true {
		must(t, log.StoreLog(raw))
		must(t, log.GetLog(41, &got))
		if got.Data != nil || got.Extensions != nil || !got.AppendedAt.IsZero() {
			t.Errorf("%+v", got)
		}
	}
}

func TestGapsAreRefused(t *testing.T) {
	log := open(t, newDisk(1), store.Options{}).Log
	hole := append(entries(1, 2, 1), entries(4, 5, 1)...)
	for _, logs := range [][]*raft.Log{hole, entries(0, 1, 1)} {
		if err := log.StoreLogs(logs); !errors.Is(err, store.ErrGap) {
			t.Error(brief(logs), err)
		}
	}
	must(t, log.StoreLogs(entries(5, 9, 1)))
	for _, index := range []uint64{1, 4, 5, 9, 11, 100} {
		if err := log.StoreLog(entry(index, 2)); !errors.Is(err, store.ErrGap) {
			t.Error(index, err)
		}
	}
	if err := log.DeleteRange(6, 8); !errors.Is(err, store.ErrGap) {
		t.Error(err)
	}
	holds(t, log, entries(5, 9, 1))
	large := &raft.Log{Index: 10, Data: make([]byte, store.MaxEntry+1)}
	if err := log.StoreLog(large); err == nil || !strings.Contains(err.Error(), "the most is") {
		t.Error(err)
	}
}

func TestDeleteRange(t *testing.T) {
	for _, c := range []struct {
		low, high uint64
		left      []*raft.Log
	}{
		{0, 3, entries(4, 20, 1)}, {1, 3, entries(4, 20, 1)}, {1, 19, entries(20, 20, 1)},
		{18, 20, entries(1, 17, 1)}, {18, 1 << 63, entries(1, 17, 1)}, {2, 20, entries(1, 1, 1)},
		{1, 20, nil}, {0, ^uint64(0), nil}, {21, 30, entries(1, 20, 1)}, {9, 8, entries(1, 20, 1)},
	} {
		t.Run(fmt.Sprintf("%d to %d", c.low, c.high), func(t *testing.T) {
			disk := newDisk(1)
			options := store.Options{SegmentSize: 500}
			log := open(t, disk, options).Log
			for index := uint64(1); index <= 20; index += 4 {
				must(t, log.StoreLogs(entries(index, index+3, 1)))
			}
			must(t, log.DeleteRange(c.low, c.high))
			holds(t, log, c.left)
			log = open(t, disk, options).Log
			holds(t, log, c.left)

			next := uint64(77) // an empty log goes on anywhere
			if len(c.left) > 0 {
				next = c.left[len(c.left)-1].Index + 1
			}
			must(t, log.StoreLogs(entries(next, next+5, 2)))
			disk.Crash()
			holds(t, open(t, disk, options).Log, append(c.left, entries(next, next+5, 2)...))
		})
	}
}

// An empty log may go on below where it ended.
func TestEmptyLogGoesBack(t *testing.T) {
	disk := newDisk(1)
	log := open(t, disk, store.Options{}).Log
	must(t, log.StoreLogs(entries(10, 12, 1)))
	must(t, log.DeleteRange(10, 12))
	must(t, log.StoreLogs(entries(3, 4, 2)))
	holds(t, log, entries(3, 4, 2))
	holds(t, open(t, disk, store.Options{}).Log, entries(3, 4, 2))
}

func TestOldSegmentsAreRemoved(t *testing.T) {
	disk := newDisk(1)
	options := store.Options{SegmentSize: 1000}
	log := open(t, disk, options).Log
	for index := uint64(1); index <= 100; index++ {
		must(t, log.StoreLog(entry(index, 1)))
	}
	before := len(files(t, disk, dir+"/log"))
	must(t, log.DeleteRange(1, 90))
	after := len(files(t, disk, dir+"/log"))
	if before < 10 || after > before/4 {
		t.Errorf("%d segments before, %d after", before, after)
	}
	holds(t, log, entries(91, 100, 1))
	holds(t, open(t, disk, options).Log, entries(91, 100, 1))
	must(t, log.DeleteRange(91, 100))
	if got := files(t, disk, dir+"/log"); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// Segments that a crash left over, with a gap behind them, are no damage when
// nothing in them is needed.
func TestLeftoverSegments(t *testing.T) {
	disk := newDisk(1)
	options := store.Options{SegmentSize: 500}
	log := open(t, disk, options).Log
	for index := uint64(1); index <= 40; index++ {
		must(t, log.StoreLog(entry(index, 1)))
	}
	first := files(t, disk, dir+"/log")[0]
	must(t, disk.Rename(dir+"/log/"+first, dir+"/kept"))
	if _, err := store.Open(disk, dir, options); !damaged(err) || !strings.Contains(err.Error(), first) {
		t.Fatalf("a segment with entries is missing: %v", err)
	}
	must(t, disk.Rename(dir+"/kept", dir+"/log/"+first))
	log = open(t, disk, options).Log
	keep := dir + "/log/" + first
	disk.Fault = func(act sim.Act, name string) error {
		if act == sim.Removing && name == keep {
			return sim.ErrIO
		}
		return nil
	}
	if err := log.DeleteRange(1, 30); !errors.Is(err, sim.ErrIO) {
		t.Error(err)
	}
	disk.Fault = nil
	holds(t, log, entries(31, 40, 1))
	must(t, disk.Remove(dir+"/log/"+files(t, disk, dir+"/log")[1]))
	holds(t, open(t, disk, options).Log, entries(31, 40, 1))
	if got := files(t, disk, dir+"/log"); got[0] == first {
		t.Errorf("%q", got)
	}
}

// After a sync that failed nothing is known, also when the next would succeed.
func TestFailedSyncBreaksTheLog(t *testing.T) {
	for seed := range uint64(100) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			disk := newDisk(seed)
			s := open(t, disk, store.Options{})
			must(t, s.Log.StoreLogs(entries(1, 9, 1)))
			failing := true
			disk.Fault = func(act sim.Act, _ string) error {
				if act == sim.Syncing && failing {
					return sim.ErrIO
				}
				return nil
			}
			if err := s.Log.StoreLogs(entries(10, 29, 1)); !errors.Is(err, sim.ErrIO) {
				t.Fatal(err)
			}
			failing = false
			holds(t, s.Log, entries(1, 9, 1))
			if err := s.Log.StoreLogs(entries(10, 29, 1)); !errors.Is(err, sim.ErrIO) {
				t.Fatal(err)
			}
			if err := s.Log.DeleteRange(1, 2); !errors.Is(err, sim.ErrIO) {
				t.Fatal(err)
			}
			if seed%2 == 0 {
				disk.Crash()
			}
			// What the reopened store shows is durable, whatever the failed
			// sync lost.
			shown, err := contents(open(t, disk, store.Options{}).Log)
			must(t, err)
			if len(shown) < 9 || !equal(shown, entries(1, uint64(len(shown)), 1)) {
				t.Fatal(brief(shown))
			}
			disk.Crash()
			holds(t, open(t, disk, store.Options{}).Log, shown)
		})
	}
}

func TestFullDisk(t *testing.T) {
	disk := newDisk(1)
	options := store.Options{SegmentSize: 4000}
	s := open(t, disk, options)
	must(t, s.Log.StoreLogs(entries(1, 9, 1)))
	disk.Capacity = 6000
	last := uint64(9)
	for ; last < 1000; last += 3 {
		if err := s.Log.StoreLogs(entries(last+1, last+3, 1)); err != nil {
			if !errors.Is(err, sim.ErrFull) {
				t.Fatal(err)
			}
			break
		}
	}
	if err := s.Stable.Set([]byte("key"), make([]byte, 3000)); !errors.Is(err, sim.ErrFull) {
		t.Error(err)
	}
	if _, err := snapshot(s, 5, 1, strings.Repeat("s", 100_000)); !errors.Is(err, sim.ErrFull) {
		t.Error(err)
	}
	if left := files(t, disk, dir+"/snapshots"); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
	holds(t, s.Log, entries(1, last, 1))

	disk.Capacity = 0 // with room again, all goes on
	must(t, s.Log.StoreLogs(entries(last+1, last+3, 2)))
	must(t, s.Stable.Set([]byte("key"), []byte("value")))
	disk.Crash()
	s = open(t, disk, options)
	holds(t, s.Log, append(entries(1, last, 1), entries(last+1, last+3, 2)...))
	if value, err := s.Stable.Get([]byte("key")); string(value) != "value" {
		t.Errorf("%q, %v", value, err)
	}
}

func TestReadErrors(t *testing.T) {
	disk := newDisk(1)
	s := open(t, disk, store.Options{})
	must(t, s.Log.StoreLogs(entries(1, 9, 1)))
	id, err := snapshot(s, 5, 1, "text")
	must(t, err)
	reads := 0
	fails := -1
	disk.Fault = func(act sim.Act, _ string) error {
		if act == sim.Reading {
			if reads++; reads-1 == fails {
				return sim.ErrIO
			}
		}
		return nil
	}
	open(t, disk, store.Options{})
	for fails = range reads {
		reads = 0
		if _, err := store.Open(disk, dir, store.Options{}); !errors.Is(err, sim.ErrIO) || damaged(err) {
			t.Errorf("open with read %d failing: %v", fails, err)
		}
	}
	reads, fails = 0, 0
	if err := s.Log.GetLog(3, new(raft.Log)); !errors.Is(err, sim.ErrIO) {
		t.Error(err)
	}
	for fails = range 4 {
		reads = 0
		if _, err := read(s, id); !errors.Is(err, sim.ErrIO) {
			t.Errorf("read %d failing: %v", fails, err)
		}
	}
	disk.Fault = nil
	holds(t, open(t, disk, store.Options{}).Log, entries(1, 9, 1))
}

// If the log has another entry in the last place of the snapshot, what stands up to there
// goes. The snapshot tells of the term before the first entry that is left.
func TestEntriesThatASnapshotContradictsGo(t *testing.T) {
	s := open(t, newDisk(1), store.Options{})
	must(t, s.Log.StoreLogs(entries(1, 40, 3)))
	for _, test := range []struct {
		snapshot, term uint64
		first          uint64
	}{{30, 3, 1}, {32, 4, 33}, {34, 3, 33}} {
		sink, err := s.Snapshots.Create(1, test.snapshot, test.term, servers, 1, nil)
		must(t, err)
		must(t, sink.Close())
		if s.Log.IsMonotonic() {
			t.Error("entries behind the snapshot go")
		}
		first, _ := s.Log.FirstIndex()
		if first != test.first {
			t.Errorf("a snapshot of %d, term %d: the log begins at %d", test.snapshot, test.term, first)
		}
		for index := range uint64(42) {
			term, ok := s.Log.Before(index)
			if want := first == 33 && index == 32; ok != want || ok && term != 4 {
				t.Errorf("a snapshot of %d: before the log there is %d, of term %d: %v", test.snapshot, index, term, ok)
			}
		}
	}
}

// After the library has installed a snapshot that ends before the log does, it must
// not remove the entries behind it: this node may have acknowledged them.
func TestEntriesBehindASnapshotStay(t *testing.T) {
	s := open(t, newDisk(1), store.Options{})
	must(t, s.Log.StoreLogs(entries(1, 40, 3)))
	for _, test := range []struct {
		snapshot  uint64
		removeAll bool
	}{{38, false}, {39, false}, {40, true}, {50, true}} {
		sink, err := s.Snapshots.Create(1, test.snapshot, 3, servers, 1, nil)
		must(t, err)
		_, err = sink.Write([]byte("x"))
		must(t, err)
		must(t, sink.Close())
		if got := s.Log.IsMonotonic(); got != test.removeAll {
			t.Errorf("a log up to 40, a snapshot of %d: all entries are removed: %v", test.snapshot, got)
		}
	}
}
