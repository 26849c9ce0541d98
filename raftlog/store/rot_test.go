package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim"
)

var rotOptions = store.Options{Node: "n", SegmentSize: 1200, Keep: 2}

// small makes a store with a little of everything. The last batch has no later
// one that proves it.
func small(t testing.TB, disk *sim.Disk) {
	s := open(t, disk, rotOptions)
	must(t, s.Log.StoreLogs(entries(1, 6, 1)))
	must(t, s.Log.DeleteRange(5, 6))
	must(t, s.Log.StoreLogs(entries(5, 9, 2)))
	must(t, s.Log.DeleteRange(1, 2))
	must(t, s.Log.StoreLogs(entries(10, 11, 2)))
	must(t, s.Log.StoreLogs(entries(12, 14, 3)))
	must(t, s.Stable.SetUint64([]byte("term"), 3))
	must(t, s.Stable.Set([]byte("vote"), []byte("n")))
	for i, text := range []string{"older", strings.Repeat("newer", 50)} {
		_, err := snapshot(s, uint64(8+i), 2, text)
		must(t, err)
	}
	must(t, s.Close())
}

func smallLog() []*raft.Log {
	return append(append(entries(3, 4, 1), entries(5, 11, 2)...), entries(12, 14, 3)...)
}

// healthy reads everything of a small store. A difference that is no error is
// the end of the test.
func healthy(t testing.TB, s *store.Store) error {
	logs, err := contents(s.Log)
	if err != nil {
		return err
	}
	if !equal(logs, smallLog()) {
		t.Fatalf("the log holds %s", brief(logs))
	}
	term, err := s.Stable.GetUint64([]byte("term"))
	vote, voteErr := s.Stable.Get([]byte("vote"))
	if err := errors.Join(err, voteErr); err != nil {
		return err
	}
	if term != 3 || string(vote) != "n" {
		t.Fatalf("term %d, vote %q", term, vote)
	}
	listed := ids(t, s)
	if len(listed) != 2 {
		t.Fatalf("listed: %q", listed)
	}
	var failed []error
	for i, want := range []string{strings.Repeat("newer", 50), "older"} {
		got, err := read(s, listed[i])
		if err == nil && got != want {
			t.Fatalf("snapshot %s holds %q", listed[i], got)
		}
		failed = append(failed, err)
	}
	if failed[0] != nil && failed[1] != nil {
		t.Fatalf("both are damaged: %v", failed)
	}
	return errors.Join(failed...)
}

// everyFile lists the files of a store with their sizes.
func everyFile(t testing.TB, disk *sim.Disk) map[string]int64 {
	all := map[string]int64{}
	for _, folder := range []string{dir, dir + "/log", dir + "/snapshots"} {
		for _, name := range files(t, disk, folder) {
			if name = folder + "/" + name; name != dir+"/log" && name != dir+"/snapshots" {
				all[name] = size(t, disk, name)
			}
		}
	}
	return all
}

// TestRot turns over one bit of every byte of every file, before the store is
// opened. That is an error, or changes nothing: only marks have no other use
// than to prove what stands before them.
func TestRot(t *testing.T) {
	disk := newDisk(1)
	small(t, disk)
	all := everyFile(t, disk)
	if len(all) < 6 {
		t.Fatalf("%v", all)
	}
	for name, size := range all {
		harmless := 0
		for at := range size {
			disk := newDisk(1)
			small(t, disk)
			disk.Flip(name, at*8+at%8)
			s, err := store.Open(disk, dir, rotOptions)
			if err == nil {
				err = healthy(t, s)
			}
			switch {
			case err == nil:
				harmless++
			case !damaged(err) && !errors.Is(err, store.ErrNewer):
				t.Errorf("%s, byte %d: %v", name, at, err)
			case damaged(err) && !strings.Contains(err.Error(), name):
				t.Errorf("%s, byte %d: the error does not name it: %v", name, at, err)
			}
		}
		most := 0
		if strings.HasSuffix(name, ".seg") {
			most = 64 // the mark at the end
		}
		if harmless != most {
			t.Errorf("%s: %d of %d bytes are not noticed, want %d", name, harmless, size, most)
		}
	}
}

// The same under an open store: an entry or a snapshot that is handed out is
// what was stored.
func TestRotUnderAnOpenStore(t *testing.T) {
	disk := newDisk(1)
	small(t, disk)
	s := open(t, disk, rotOptions)
	must(t, healthy(t, s))
	for name, size := range everyFile(t, disk) {
		noticed := 0
		for at := range size {
			disk.Flip(name, at*8+at%8)
			if err := healthy(t, s); damaged(err) {
				noticed++
			} else if err != nil {
				t.Errorf("%s, byte %d: %v", name, at, err)
			}
			disk.Flip(name, at*8+at%8)
		}
		if !strings.Contains(name, "/log/") && !strings.Contains(name, "/snapshots/") {
			continue // these are read when a store is opened, not after
		}
		if int64(noticed) < size/4 {
			t.Errorf("%s: only %d of %d bytes were noticed", name, noticed, size)
		}
	}
}

// A file that lost its end is damage. Of the segment that grows nobody can tell:
// a crash leaves it like that.
func TestCutFiles(t *testing.T) {
	disk := newDisk(1)
	small(t, disk)
	segments := files(t, disk, dir+"/log")
	for name, size := range everyFile(t, disk) {
		if strings.HasSuffix(name, segments[len(segments)-1]) {
			continue
		}
		if strings.HasSuffix(name, ".seg") {
			size -= 64 // the mark at the end
		}
		for left := range size {
			disk := newDisk(1)
			small(t, disk)
			f, err := disk.Open(name, false)
			must(t, err)
			must(t, f.Truncate(left))
			s, err := store.Open(disk, dir, rotOptions)
			if err == nil {
				err = healthy(t, s)
			}
			if !damaged(err) {
				t.Errorf("%s cut to %d bytes: %v", name, left, err)
			}
		}
	}
}

// A batch of zeros, as a write that was lost leaves, is damage once a later one
// is durable.
func TestLostWriteIsNoticed(t *testing.T) {
	disk := newDisk(1)
	s := open(t, disk, store.Options{})
	name := dir + "/log/" + files(t, disk, dir+"/log")[0]
	must(t, s.Log.StoreLogs(entries(1, 3, 1)))
	from := size(t, disk, name)
	must(t, s.Log.StoreLogs(entries(4, 6, 1)))
	to := size(t, disk, name)
	must(t, s.Log.StoreLogs(entries(7, 9, 1)))
	f, err := disk.Open(name, false)
	must(t, err)
	if _, err := f.WriteAt(make([]byte, to-from), from); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(disk, dir, store.Options{}); !damaged(err) {
		t.Error(err)
	}
}

// A write that the disk did at another place is no entry there, even where one
// of the same index was.
func TestMisdirectedWriteIsNoticed(t *testing.T) {
	disk := newDisk(1)
	s := open(t, disk, store.Options{})
	name := dir + "/log/" + files(t, disk, dir+"/log")[0]
	must(t, s.Log.StoreLogs(entries(1, 4, 1)))
	old := size(t, disk, name)
	must(t, s.Log.StoreLog(entry(5, 1)))
	length := size(t, disk, name) - old - 64 // without its mark
	must(t, s.Log.DeleteRange(5, 5))
	now := size(t, disk, name)
	must(t, s.Log.StoreLog(entry(5, 2)))
	if size(t, disk, name) != now+length+64 {
		t.Fatal("the two entries differ in length")
	}
	frame := content(t, disk, name)[old:][:length]
	f, err := disk.Open(name, false)
	must(t, err)
	if _, err := f.WriteAt(frame, now); err != nil {
		t.Fatal(err)
	}
	if err := s.Log.GetLog(5, new(raft.Log)); !damaged(err) {
		t.Error(err)
	}
	if _, err := store.Open(disk, dir, store.Options{}); !damaged(err) {
		t.Error(err)
	}
}
