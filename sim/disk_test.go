package sim

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"testing"

	"github.com/elares/ironcache/sim/env"
	"pgregory.net/rapid"
)

func newTestDisk(seed uint64) *Disk { return New(seed, Mix{}).Machine().Disk }

func open(t testing.TB, d *Disk, name string) env.File {
	t.Helper()
	f, err := d.Open(name, true)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// content is what a file holds, "" and false if there is none.
func content(d *Disk, name string) (string, bool) {
	f, err := d.Open(name, false)
	if err != nil {
		return "", false
	}
	size, _ := f.Size()
	b := make([]byte, size)
	f.ReadAt(b, 0)
	return string(b), true
}

func TestFiles(t *testing.T) {
	d := newTestDisk(1)
	if _, err := d.Open("a", false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open what is not there: %v", err)
	}
	if _, err := d.Open("no/a", true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("create in a folder that is not there: %v", err)
	}
	must(t, d.MakeDir("/x/y"))
	must(t, d.MakeDir("/x/y"))
	f := open(t, d, "x/y/a")
	if n, err := f.WriteAt([]byte("hello"), 3); n != 5 || err != nil {
		t.Error(n, err)
	}
	b := make([]byte, 10)
	if n, err := f.ReadAt(b, 0); n != 8 || err != io.EOF || string(b[:n]) != "\x00\x00\x00hello" {
		t.Errorf("%q, %v", b[:n], err)
	}
	must(t, f.Truncate(4))
	must(t, f.Truncate(6))
	if got, _ := content(d, "/x/y/a"); got != "\x00\x00\x00h\x00\x00" {
		t.Errorf("%q", got)
	}
	must(t, d.Rename("x/y/a", "x/b"))
	if names, err := d.List("x"); err != nil || !slices.Equal(names, []string{"b", "y"}) {
		t.Error(names, err)
	}
	if err := d.Remove("x"); err == nil {
		t.Error("a full folder was removed")
	}
	must(t, d.Remove("x/y"))
	must(t, d.Remove("x/b"))
	if err := d.Remove("x/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if n, err := f.WriteAt([]byte("still open"), 0); n != 10 || err != nil || d.used != 0 {
		t.Error(n, err, d.used)
	}
	must(t, f.Close())
	if _, err := f.ReadAt(b, 0); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
}

func TestFullDisk(t *testing.T) {
	d := newTestDisk(1)
	d.Capacity = 10
	f := open(t, d, "a")
	if n, err := f.WriteAt([]byte("0123456"), 0); n != 7 || err != nil {
		t.Error(n, err)
	}
	if n, err := f.WriteAt([]byte("abcdef"), 6); n != 4 || !errors.Is(err, ErrFull) {
		t.Error(n, err)
	}
	if err := open(t, d, "b").Truncate(1); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	must(t, f.Truncate(2))
	if n, err := open(t, d, "b").WriteAt([]byte("01234567"), 0); n != 8 || err != nil {
		t.Error(n, err)
	}
	must(t, d.Remove("b"))
	if d.used != 2 {
		t.Errorf("%d bytes used", d.used)
	}
}

// What was synced survives every crash. The rest may survive or not, in all
// the ways there are.
func TestCrash(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(200) {
		d := newTestDisk(seed)
		f := open(t, d, "log")
		f.WriteAt(bytes.Repeat([]byte("a"), 512), 0)
		must(t, f.Sync())
		must(t, d.SyncDir("/"))
		f.WriteAt(bytes.Repeat([]byte("b"), 1024), 512)
		f.WriteAt(bytes.Repeat([]byte("c"), 10), 1536)
		open(t, d, "other").WriteAt([]byte("x"), 0)
		d.Crash()
		if _, err := f.ReadAt(make([]byte, 1), 0); !errors.Is(err, fs.ErrClosed) {
			t.Fatalf("seed %d: a file outlived the crash: %v", seed, err)
		}
		got, ok := content(d, "log")
		if !ok || len(got) < 512 || got[:512] != string(bytes.Repeat([]byte("a"), 512)) {
			t.Fatalf("seed %d: what was synced is lost: %d bytes", seed, len(got))
		}
		if d.used != int64(len(got))+sizeOf(d, "other") {
			t.Fatalf("seed %d: %d bytes used", seed, d.used)
		}
		_, other := content(d, "other")
		seen[fmt.Sprintf("size %d", len(got))]++
		seen[fmt.Sprintf("other %v", other)]++
		if len(got) == 1546 && bytes.Contains([]byte(got), make([]byte, 512)) {
			seen["hole"]++
		}
	}
	for _, way := range []string{"size 512", "size 1024", "size 1536", "size 1546", "hole", "other true", "other false"} {
		if seen[way] == 0 {
			t.Errorf("never seen: %s (%v)", way, seen)
		}
	}
}

func sizeOf(d *Disk, name string) int64 {
	text, _ := content(d, name)
	return int64(len(text))
}

// A file that is replaced by a rename is the old one or the new one after a
// crash, and the new one after SyncDir.
func TestRenameIsAtomic(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(100) {
		for _, synced := range []bool{false, true} {
			d := newTestDisk(seed)
			replace(t, d, "old")
			must(t, d.SyncDir("/"))
			replace(t, d, "new")
			if synced {
				must(t, d.SyncDir("/"))
			}
			d.Crash()
			got, _ := content(d, "state")
			if got != "new" && (got != "old" || synced) {
				t.Fatalf("seed %d, synced %v: %q", seed, synced, got)
			}
			if _, left := content(d, "temp"); left && got == "new" {
				t.Fatalf("seed %d: the file has two names", seed)
			}
			seen[got]++
		}
	}
	if seen["old"] == 0 {
		t.Error("no rename was ever lost")
	}
}

// replace writes a file the safe way, up to the sync of its folder.
func replace(t *testing.T, d *Disk, text string) {
	f := open(t, d, "temp")
	f.WriteAt([]byte(text), 0)
	must(t, f.Sync())
	must(t, d.Rename("temp", "state"))
}

// A folder that is synced takes along what happened to its files elsewhere
// before: a file has one name, whatever was synced.
func TestRenameAcrossFolders(t *testing.T) {
	for seed := range uint64(50) {
		d := newTestDisk(seed)
		must(t, d.MakeDir("a"))
		must(t, d.MakeDir("b"))
		must(t, d.SyncDir("/"))
		must(t, open(t, d, "a/f").Sync())
		must(t, d.Rename("a/f", "b/f"))
		must(t, d.SyncDir("b"))
		must(t, d.SyncDir("a"))
		d.Crash()
		_, a := content(d, "a/f")
		_, b := content(d, "b/f")
		if a || !b {
			t.Fatalf("seed %d: in a: %v, in b: %v", seed, a, b)
		}
	}
}

// After a failed sync, a later one does not bring back what was lost.
func TestFailedSync(t *testing.T) {
	lost := 0
	for seed := range uint64(50) {
		d := newTestDisk(seed)
		f := open(t, d, "a")
		must(t, d.SyncDir("/"))
		f.WriteAt([]byte("x"), 0)
		d.Fault = func(act Act, path string) error {
			if act == Syncing {
				return ErrIO
			}
			return nil
		}
		if err := f.Sync(); !errors.Is(err, ErrIO) {
			t.Fatal(err)
		}
		d.Fault = nil
		must(t, f.Sync())
		if got, _ := content(d, "a"); got != "x" {
			t.Fatal("a read shows what was lost before the crash")
		}
		d.Crash()
		if got, _ := content(d, "a"); got == "" {
			lost++
		}
	}
	if lost == 0 || lost == 50 {
		t.Errorf("lost %d of 50 times", lost)
	}
}

func TestDrawnFaults(t *testing.T) {
	d := New(1, Mix{ReadFails: 100_000, WriteFails: 100_000, SyncFails: 100_000}).Machine().Disk
	f := open(t, d, "a")
	failed := map[string]int{}
	count := func(act string, err error) {
		if errors.Is(err, ErrIO) {
			failed[act]++
		}
	}
	for range 1000 {
		_, err := f.WriteAt([]byte("x"), 0)
		count("write", err)
		_, err = f.ReadAt(make([]byte, 1), 0)
		count("read", err)
		count("sync", f.Sync())
	}
	for _, act := range []string{"write", "read", "sync"} {
		if n := failed[act]; n < 50 || n > 200 {
			t.Errorf("%s failed %d of 1000 times", act, n)
		}
	}
}

func TestFlip(t *testing.T) {
	d := newTestDisk(1)
	f := open(t, d, "a")
	f.WriteAt([]byte("ab"), 0)
	must(t, f.Sync())
	must(t, d.SyncDir("/"))
	if size := d.SizeOf("a"); size == 0 || d.SizeOf("nothing") != 0 {
		t.Errorf("sizes %d and %d", size, d.SizeOf("nothing"))
	}
	if string(d.TextOf("a")) != "ab" || d.TextOf("nothing") != nil || d.TextOf("/") != nil {
		t.Errorf("texts %q, %q, %q", d.TextOf("a"), d.TextOf("nothing"), d.TextOf("/"))
	}
	d.Flip("a", 9)
	d.Crash()
	if got, _ := content(d, "a"); got != "a`" {
		t.Errorf("%q", got)
	}
}

// A disk on which everything is synced is one that never crashes.
func TestSyncedDiskSurvives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := newTestDisk(rapid.Uint64().Draw(t, "seed"))
		model := map[string]string{}
		name := rapid.SampledFrom([]string{"a", "b", "c"})
		t.Repeat(map[string]func(*rapid.T){
			"write": func(t *rapid.T) {
				at, text := name.Draw(t, "name"), rapid.StringMatching(`[a-z]{0,700}`).Draw(t, "text")
				off := rapid.IntRange(0, 900).Draw(t, "off")
				f, _ := d.Open(at, true)
				f.WriteAt([]byte(text), int64(off))
				f.Sync()
				model[at] = string(write{int64(off), []byte(text)}.on([]byte(model[at])))
			},
			"rename": func(t *rapid.T) {
				from, to := name.Draw(t, "from"), name.Draw(t, "to")
				text, ok := model[from]
				if err := d.Rename(from, to); (err == nil) != ok {
					t.Fatal(err)
				}
				if ok {
					delete(model, from)
					model[to] = text
				}
			},
			"remove": func(t *rapid.T) {
				at := name.Draw(t, "name")
				if _, ok := model[at]; (d.Remove(at) == nil) != ok {
					t.Fatal("remove")
				}
				delete(model, at)
			},
			"crash": func(t *rapid.T) {
				d.SyncDir("/")
				d.Crash()
			},
			"": func(t *rapid.T) {
				names, _ := d.List("/")
				if len(names) != len(model) {
					t.Fatalf("%v, want %v", names, model)
				}
				used := 0
				for at, text := range model {
					if got, ok := content(d, at); !ok || got != text {
						t.Fatalf("%s: %q, want %q", at, got, text)
					}
					used += len(text)
				}
				if d.used != int64(used) {
					t.Fatalf("%d bytes used, want %d", d.used, used)
				}
			},
		})
	})
}
