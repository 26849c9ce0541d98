package store_test

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
)

func TestSnapshotContract(t *testing.T) {
	disk := newDisk(1)
	s := open(t, disk, store.Options{Keep: 10})
	if got := ids(t, s); len(got) > 0 {
		t.Errorf("%q", got)
	}
	texts := map[string]string{}
	var want []string
	for i, length := range []int{0, 1, 65535, 65536, 65537, 131072, 300_001} {
		text := strings.Repeat("snapshot", length/8+1)[:length]
		id, err := snapshot(s, uint64(10+i), 3, text)
		must(t, err)
		texts[id] = text
		want = append([]string{id}, want...)
	}
	for range 2 {
		if got := ids(t, s); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		for id, text := range texts {
			if got, err := read(s, id); got != text || err != nil {
				t.Errorf("%s: %d bytes (%v), want %d", id, len(got), err, len(text))
			}
		}
		disk.Crash()
		s = open(t, disk, store.Options{Keep: 10})
	}
	for _, id := range []string{"", "x", "../log/0000000000000001", want[0] + " ", "00000000000000000099-00000000000000000003-0000000001"} {
		if _, _, err := s.Snapshots.Open(id); err == nil {
			t.Errorf("%q was opened", id)
		}
	}
	if _, err := s.Snapshots.Create(0, 100, 3, servers, 1, nil); err == nil {
		t.Error("version 0 was made")
	}
}

func TestNewestSnapshotsStay(t *testing.T) {
	disk := newDisk(1)
	s := open(t, disk, store.Options{})
	first, err := snapshot(s, 10, 1, "first")
	must(t, err)
	_, reader, err := s.Snapshots.Open(first)
	must(t, err)
	second, err := snapshot(s, 20, 1, "second")
	must(t, err)
	third, err := snapshot(s, 20, 1, "third") // the configuration of a recovered cluster
	must(t, err)
	if got := ids(t, s); !slices.Equal(got, []string{third, second}) {
		t.Errorf("%q", got)
	}
	if _, _, err := s.Snapshots.Open(first); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if text, err := io.ReadAll(reader); string(text) != "first" || err != nil {
		t.Errorf("a reader of a removed snapshot got %q, %v", text, err)
	}
	s = open(t, disk, store.Options{Keep: 1})
	if got := ids(t, s); !slices.Equal(got, []string{third}) {
		t.Errorf("%q", got)
	}
}

// A local snapshot that is complete only after a newer one was installed does
// not count, and whoever took it learns of that.
func TestLateLocalSnapshotDoesNotSupersede(t *testing.T) {
	for _, keep := range []int{1, 2, 3} {
		disk := newDisk(1)
		s := open(t, disk, store.Options{Keep: keep})
		local, err := s.Snapshots.Create(1, 100, 4, servers, 50, nil)
		must(t, err)
		if _, err := local.Write([]byte("local")); err != nil {
			t.Fatal(err)
		}
		installed, err := snapshot(s, 200, 5, "installed")
		must(t, err)
		if err := local.Close(); !errors.Is(err, store.ErrStale) {
			t.Errorf("keep %d: %v", keep, err)
		}
		if _, err := snapshot(s, 199, 5, "later"); !errors.Is(err, store.ErrStale) {
			t.Errorf("keep %d: %v", keep, err)
		}
		for range 2 {
			if got := ids(t, s); !slices.Equal(got, []string{installed}) {
				t.Errorf("keep %d: %q", keep, got)
			}
			if got := files(t, disk, dir+"/snapshots"); len(got) != 1 {
				t.Errorf("keep %d: %q", keep, got)
			}
			disk.Crash()
			s = open(t, disk, store.Options{Keep: keep})
		}
	}
}

func TestCancelLeavesNothing(t *testing.T) {
	disk := newDisk(1)
	s := open(t, disk, store.Options{})
	sink, err := s.Snapshots.Create(1, 10, 1, servers, 5, nil)
	must(t, err)
	if _, err := sink.Write(make([]byte, 200_000)); err != nil {
		t.Fatal(err)
	}
	must(t, sink.Cancel())
	must(t, sink.Cancel())
	if sink.Close() == nil {
		t.Error("a cancelled snapshot was closed")
	}
	if _, err := sink.Write([]byte("x")); err == nil {
		t.Error("a cancelled snapshot was written")
	}
	if left := files(t, disk, dir+"/snapshots"); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
	id, err := snapshot(s, 10, 1, "text")
	must(t, err)
	sink, err = s.Snapshots.Create(1, 11, 1, servers, 5, nil)
	must(t, err)
	must(t, sink.Close())
	must(t, sink.Close())
	must(t, sink.Cancel())
	if got := ids(t, s); len(got) != 2 || got[1] != id {
		t.Errorf("%q", got)
	}
	if _, err := s.Snapshots.Create(1, 12, 1, servers, 5, nil); err != nil {
		t.Fatal(err)
	}
	s = open(t, disk, store.Options{}) // the last one was left open
	if left := files(t, disk, dir+"/snapshots"); len(left) != 2 {
		t.Errorf("left over: %q", left)
	}
}

// Whatever fails while a snapshot is written, there is none afterwards, and the
// next one works.
func TestFailedSnapshot(t *testing.T) {
	for _, act := range []sim.Act{sim.Opening, sim.Writing, sim.Truncating, sim.Syncing, sim.Renaming, sim.SyncingDir} {
		disk := newDisk(1)
		s := open(t, disk, store.Options{})
		before, err := snapshot(s, 9, 1, "before")
		must(t, err)
		disk.Fault = func(now sim.Act, _ string) error {
			if now == act {
				return sim.ErrIO
			}
			return nil
		}
		if _, err := snapshot(s, 10, 1, strings.Repeat("t", 100_000)); !errors.Is(err, sim.ErrIO) {
			t.Errorf("act %d: %v", act, err)
		}
		disk.Fault = nil
		if left := files(t, disk, dir+"/snapshots"); len(left) != 1 {
			t.Errorf("act %d: left over: %q", act, left)
		}
		after, err := snapshot(s, 10, 1, "after")
		must(t, err)
		disk.Crash()
		s = open(t, disk, store.Options{})
		if got := ids(t, s); !slices.Equal(got, []string{after, before}) {
			t.Errorf("act %d: %q", act, got)
		}
	}
}

// A damaged snapshot is not passed over in silence: it is still the newest, it
// cannot be opened, and the older one can.
func TestDamagedSnapshotIsListed(t *testing.T) {
	disk := newDisk(1)
	s := open(t, disk, store.Options{})
	older, err := snapshot(s, 10, 1, "older")
	must(t, err)
	newer, err := snapshot(s, 20, 2, "newer")
	must(t, err)
	disk.Flip(dir+"/snapshots/"+newer+".snap", 8*30) // in the description
	for range 2 {
		metas, err := s.Snapshots.List()
		must(t, err)
		if len(metas) != 2 || metas[0].ID != newer || metas[0].Index != 20 || metas[0].Term != 2 || metas[0].Version != 0 || metas[1].Version != 1 {
			t.Errorf("%+v", metas)
		}
		if _, err := read(s, newer); !damaged(err) || !strings.Contains(err.Error(), newer) {
			t.Error(err)
		}
		if text, err := read(s, older); text != "older" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		s = open(t, disk, store.Options{})
	}
}
