package store_test

import (
	"maps"
	"runtime"
	"slices"
	"testing"

	"github.com/elares/ironcache/raftlog/store"
)

// FuzzOpen puts arbitrary bytes in the place of a file. To open and read the
// store is an error, or gives what was stored or the front of it.
func FuzzOpen(f *testing.F) {
	disk := newDisk(1)
	small(f, disk)
	names := slices.Sorted(maps.Keys(everyFile(f, disk)))
	texts := map[string][]byte{}
	for i, name := range names {
		text := content(f, disk, name)
		texts[name] = text
		f.Add(uint8(i), text)
		f.Add(uint8(i), text[:len(text)/2])
		f.Add(uint8(i), append(append([]byte{}, text...), text...))
		f.Add(uint8(i), append(append([]byte{}, text...), make([]byte, 4096)...))
		f.Add(uint8(i), text[min(80, len(text)):])
	}
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		disk := newDisk(1)
		must(t, disk.MakeDir(dir+"/log"))
		must(t, disk.MakeDir(dir+"/snapshots"))
		for _, name := range names {
			write(t, disk, name, texts[name])
		}
		write(t, disk, names[int(which)%len(names)], text)
		for _, folder := range []string{"/", dir, dir + "/log", dir + "/snapshots"} {
			must(t, disk.SyncDir(folder))
		}
		s, err := store.Open(disk, dir, rotOptions)
		if err != nil {
			return
		}
		plausible(t, s)
		got, err := contents(s.Log)
		must(t, err)
		disk.Crash()
		holds(t, open(t, disk, rotOptions).Log, got) // and it stays like that
	})
}

// plausible checks that a store holds nothing that small did not put there.
func plausible(t *testing.T, s *store.Store) {
	logs, err := contents(s.Log)
	must(t, err)
	for _, log := range logs {
		if !same(log, entry(log.Index, log.Term)) || log.Index > 14 {
			t.Fatalf("an entry that nobody wrote: %+v", log)
		}
	}
	for _, id := range ids(t, s) {
		if _, err := read(s, id); err != nil && !damaged(err) {
			t.Fatal(err)
		}
	}
	if _, err := s.Stable.GetUint64([]byte("term")); err != nil {
		t.Fatal(err)
	}
}

// TestHugeLengths opens files that speak of gigabytes which are not there.
func TestHugeLengths(t *testing.T) {
	for _, name := range []string{"/stable", "/identity", "/log/0000000000000001.seg", "/snapshots/x.snap"} {
		disk := newDisk(1)
		small(t, disk)
		text := make([]byte, 4<<20)
		for i := range text {
			text[i] = 0xff
		}
		if name == "/snapshots/x.snap" {
			name = "/snapshots/" + ids(t, open(t, disk, rotOptions))[0] + ".snap"
		}
		write(t, disk, dir+name, text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := store.Open(disk, dir, rotOptions)
		if err == nil {
			_, err = read(s, ids(t, s)[0])
		}
		runtime.ReadMemStats(&after)
		if !damaged(err) {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
			t.Errorf("%s: %d bytes of memory", name, took)
		}
	}
}
