package host

import (
	"errors"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/elares/ironcache/sim/env"
)

func TestWorldIsWhole(t *testing.T) {
	w := NewWorld(Options{})
	if w.Clock == nil || w.Rand == nil || w.Network == nil || w.Disk == nil || w.Memory == nil {
		t.Fatalf("%+v", w)
	}
}

func TestClock(t *testing.T) {
	c := NewClock()
	for last, end := c.Monotonic(), time.Now().Add(20*time.Millisecond); time.Now().Before(end); {
		now := c.Monotonic()
		if now < last {
			t.Fatalf("from %d back to %d", last, now)
		}
		last = now
		before, wall, after := time.Now(), c.Wall(), time.Now()
		const slack = int64(100 * time.Microsecond)
		if wall < before.UnixNano()-slack || wall > after.UnixNano()+slack {
			t.Fatalf("Wall is %d, between %d and %d", wall, before.UnixNano(), after.UnixNano())
		}
	}
	if allocs := testing.AllocsPerRun(100, func() { c.Wall(); c.Monotonic() }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// A civil time that was set is seen after wallAge.
func TestClockFollowsJumps(t *testing.T) {
	c := NewClock().(*clock)
	c.distance.Add(int64(time.Hour))
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if off := time.Duration(c.Wall() - time.Now().UnixNano()).Abs(); off < time.Minute {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the jump was never seen")
		}
	}
}

func BenchmarkClock(b *testing.B) {
	c := NewClock()
	for name, read := range map[string]func() int64{
		"wall": c.Wall, "monotonic": c.Monotonic, "time.Now": func() int64 { return time.Now().UnixNano() },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				read()
			}
		})
	}
}

func TestRand(t *testing.T) {
	if NewRand().Uint64() == NewRand().Uint64() {
		t.Error("two streams start alike")
	}
	a, b := NewSeededRand([32]byte{1}), NewSeededRand([32]byte{1})
	for name, pair := range map[string][2]env.Rand{"seed": {a, b}, "fork": {a.Fork(), b.Fork()}} {
		if pair[0].Uint64() != pair[1].Uint64() {
			t.Errorf("the same %s draws differently", name)
		}
	}
	if a.Fork().Uint64() == a.Fork().Uint64() {
		t.Error("two forks draw alike")
	}
	child, ones := a.Fork(), 0
	for range 1000 {
		ones += bits.OnesCount64(a.Uint64() ^ child.Uint64())
	}
	if ones < 31000 || ones > 33000 {
		t.Errorf("parent and child differ in %d of 64000 bits", ones)
	}
}

func TestDisk(t *testing.T) {
	disk, dir := NewDisk(), filepath.Join(t.TempDir(), "a", "b")
	must(t, disk.MakeDir(dir))
	must(t, disk.MakeDir(dir))
	f, err := disk.Open(filepath.Join(dir, "x"), true)
	must(t, err)
	_, err = f.WriteAt([]byte("hello"), 3)
	must(t, err)
	must(t, f.Sync())
	b := make([]byte, 10)
	if n, err := f.ReadAt(b, 0); n != 8 || err != io.EOF || string(b[:n]) != "\x00\x00\x00hello" {
		t.Errorf("read %q, %v", b[:n], err)
	}
	must(t, f.Truncate(4))
	if size, err := f.Size(); size != 4 || err != nil {
		t.Errorf("size %d, %v", size, err)
	}
	must(t, f.Close())
	must(t, disk.Rename(filepath.Join(dir, "x"), filepath.Join(dir, "y")))
	g, err := disk.Open(filepath.Join(dir, "w"), true)
	must(t, err)
	must(t, g.Close())
	must(t, disk.SyncDir(dir))
	if names, err := disk.List(dir); err != nil || !slices.Equal(names, []string{"w", "y"}) {
		t.Errorf("list %q, %v", names, err)
	}
	must(t, disk.Remove(filepath.Join(dir, "y")))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestDiskErrors(t *testing.T) {
	disk, missing := NewDisk(), filepath.Join(t.TempDir(), "no", "such")
	_, open := disk.Open(missing, false)
	_, list := disk.List(missing)
	for act, err := range map[string]error{
		"open": open, "list": list, "remove": disk.Remove(missing),
		"rename": disk.Rename(missing, missing+"2"), "sync": disk.SyncDir(missing),
	} {
		var path *fs.PathError
		if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &path) {
			t.Errorf("%s: %v", act, err)
		}
	}
}

func TestDiskOpensReadOnlyFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	must(t, os.WriteFile(path, []byte("x"), 0o400))
	f, err := NewDisk().Open(path, false)
	must(t, err)
	defer f.Close()
	if _, err := f.ReadAt(make([]byte, 1), 0); err != nil {
		t.Error(err)
	}
}
