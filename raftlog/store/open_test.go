package store_test

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"strings"
	"testing"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/env"
)

func write(t testing.TB, disk env.Disk, name string, text []byte) {
	t.Helper()
	f, err := disk.Open(name, true)
	must(t, err)
	must(t, f.Truncate(0))
	if _, err := f.WriteAt(text, 0); err != nil {
		t.Fatal(err)
	}
	must(t, f.Sync())
	must(t, f.Close())
}

func TestIdentity(t *testing.T) {
	disk := newDisk(1)
	if _, err := store.Open(disk, "/no/raft", store.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	s := open(t, disk, store.Options{Node: "node \"1\"\n"})
	must(t, s.Log.StoreLog(entry(1, 1)))
	if _, err := store.Open(disk, dir, store.Options{Node: "2"}); !errors.Is(err, store.ErrOther) {
		t.Error(err)
	}
	open(t, disk, store.Options{Node: "node \"1\"\n"})
	newer := "ironcache raft store\nformat 2\nwhatever a later version has to say\n"
	newer += fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(newer)))
	write(t, disk, dir+"/identity", []byte(newer))
	if _, err := store.Open(disk, dir, store.Options{}); !errors.Is(err, store.ErrNewer) || !strings.Contains(err.Error(), "format 2") {
		t.Error(err)
	}
	for _, text := range []string{"", "\n\n\n", "something else\nformat 1\nnode \"\"\n", "ironcache raft store\nformat x\nnode \"\"\n"} {
		write(t, disk, dir+"/identity", []byte(text))
		if _, err := store.Open(disk, dir, store.Options{}); !damaged(err) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A store that lost a file is never taken for an empty one.
func TestMissingFiles(t *testing.T) {
	for _, name := range []string{"identity", "stable", "log/0000000000000001.seg"} {
		for _, fill := range []func(s *store.Store) error{
			func(s *store.Store) error { return s.Log.StoreLog(entry(1, 1)) },
			func(s *store.Store) error { return s.Stable.SetUint64([]byte("k"), 1) },
			func(s *store.Store) error { _, err := snapshot(s, 10, 1, "text"); return err },
		} {
			disk := newDisk(1)
			s := open(t, disk, store.Options{})
			must(t, fill(s))
			must(t, disk.Remove(dir+"/"+name))
			if _, err := store.Open(disk, dir, store.Options{}); err == nil {
				t.Errorf("%s is missing, and the store was opened", name)
			}
		}
	}
}

// A crash while a store is made leaves one that can be made again, and a crash
// after it was made leaves it.
func TestCrashWhileCreating(t *testing.T) {
	for seed := range uint64(20) {
		for stop := range 1000 {
			disk := newDisk(seed)
			if createUpTo(t, disk, stop) {
				disk.Crash()
				if _, err := disk.Open(dir+"/identity", false); err != nil {
					t.Fatalf("seed=%d: %v", seed, err)
				}
				holds(t, open(t, disk, store.Options{}).Log, nil)
				break
			}
			disk.Crash()
			open(t, disk, store.Options{})
		}
	}
}

// createUpTo opens a store on a machine that stops before an act, and tells
// whether that came too late.
func createUpTo(t *testing.T, disk env.Disk, acts int) (done bool) {
	defer func() {
		if reason := recover(); reason != nil && reason != (crashed{}) {
			panic(reason)
		}
	}()
	open(t, doored{disk, func() {
		if acts--; acts < 0 {
			panic(crashed{})
		}
	}}, store.Options{})
	return true
}

// After a snapshot was installed the library removes all entries. When a crash
// comes in between, Open does it: the log could not go on otherwise.
func TestLogGoesOnBehindAnInstalledSnapshot(t *testing.T) {
	disk := newDisk(1)
	s := open(t, disk, store.Options{})
	must(t, s.Log.StoreLogs(entries(1, 50, 1)))
	id, err := snapshot(s, 200, 2, "installed")
	must(t, err)
	disk.Crash()
	s = open(t, disk, store.Options{})
	holds(t, s.Log, nil)
	must(t, s.Log.StoreLogs(entries(201, 202, 2)))
	s = open(t, disk, store.Options{})
	holds(t, s.Log, entries(201, 202, 2))

	// The log is not given up for a snapshot that cannot be read.
	_, err = snapshot(s, 300, 2, "damaged")
	must(t, err)
	name := dir + "/snapshots/" + ids(t, s)[0] + ".snap"
	disk.Flip(name, size(t, disk, name)*4)
	s = open(t, disk, store.Options{})
	holds(t, s.Log, entries(201, 202, 2))
	if text, err := read(s, id); text != "installed" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	must(t, s.Close())
	if err := s.Log.StoreLog(entry(203, 2)); err == nil {
		t.Error("a closed log was written")
	}
}

// tear has the machine crash when a batch is written and not synced.
func tear(t testing.TB, disk *sim.Disk, s *store.Store, batch []*raft.Log) {
	disk.Fault = func(act sim.Act, _ string) error {
		if act == sim.Syncing {
			panic(crashed{})
		}
		return nil
	}
	func() {
		defer func() { recover() }()
		s.Log.StoreLogs(batch)
		t.Error("the machine did not stop")
	}()
	disk.Fault = nil
	disk.Crash()
}

// What a crash tears off the end of the log is cut, however much of it is
// there, and nothing of it comes back behind what is appended then.
func TestTornTail(t *testing.T) {
	for seed := range uint64(300) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			world := sim.New(seed, sim.Mix{})
			disk := world.Machine().Disk
			s := open(t, disk, store.Options{})
			must(t, s.Log.StoreLogs(entries(1, 9, 1)))
			must(t, s.Log.DeleteRange(5, 9))
			tear(t, disk, s, entries(5, 40, 2))
			s = open(t, disk, store.Options{})
			got, err := contents(s.Log)
			must(t, err)
			want := append(entries(1, 4, 1), entries(5, 40, 2)...)
			if len(got) < 4 || len(got) > len(want) || !equal(got, want[:len(got)]) {
				t.Fatal(brief(got))
			}
			must(t, s.Log.DeleteRange(3, 40))
			must(t, s.Log.StoreLogs(entries(3, 3, 3)))
			disk.Crash()
			holds(t, open(t, disk, store.Options{}).Log, append(entries(1, 2, 1), entries(3, 3, 3)...))
		})
	}
}
