//go:build linux

package keyspace

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapped is an env.Memory over mmap.
type mapped struct{}

func (mapped) Map(size int) ([]byte, error) {
	const align = 2 << 20
	b, err := unix.Mmap(-1, 0, size+align, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, err
	}
	skip := -int(uintptr(unsafe.Pointer(&b[0]))) & (align - 1)
	b = b[skip : skip+size : skip+size]
	if thp {
		unix.Madvise(b, unix.MADV_HUGEPAGE)
	}
	return b, nil
}

var thp = true

func (mapped) Unmap(region []byte) {
	unix.Madvise(region, unix.MADV_DONTNEED)
}
func (mapped) Discard(part []byte) { unix.Madvise(part, unix.MADV_DONTNEED) }
func (mapped) PageSize() int       { return 4096 }
func (mapped) Resident() int64     { return 0 }

// benchKey writes a key of 16 bytes.
func benchKey(b *[16]byte, i int) []byte {
	copy(b[:], "key:000000000000")
	for at := 15; i > 0; at-- {
		b[at] = byte('0' + i%10)
		i /= 10
	}
	return b[:]
}

func newMapped(t testing.TB) *Store {
	s, err := NewStore(mapped{}, NewLedger(0), Options{Hash: NewHash(&stream{7})})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func filled(t testing.TB, n int) *Store {
	s := newMapped(t)
	var key [16]byte
	value := make([]byte, 64)
	for i := range n {
		binary.LittleEndian.PutUint64(value, uint64(i))
		s.Space(0).PutString(s.hash.Key(benchKey(&key, i)), value, KindRaw, 0, 0)
	}
	return s
}

// timed runs f(n) as one benchmark and reports the processor time of its
// thread, since other work on the machine disturbs the clock on the wall.
func timed(b *testing.B, name string, f func(b *testing.B, n int)) {
	b.Run(name, func(b *testing.B) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		start := threadTime()
		f(b, b.N)
		b.ReportMetric(float64(threadTime()-start)/float64(b.N), "cpu-ns/op")
	})
}

func threadTime() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return t.Nano()
}

func BenchmarkFresh(b *testing.B) {
	timed(b, "put", func(b *testing.B, n int) {
		s := filled(b, n)
		b.ReportMetric(float64(s.Stats().Live)/float64(n)-80, "live-over/key")
		b.ReportMetric(float64(s.Stats().Reserved)/float64(n)-80, "held-over/key")
		s.Close()
	})
}

// The baseline of the others is "key", which makes the key and its Place.
func BenchmarkSpace(b *testing.B) {
	for _, n := range []int{1 << 13, 1 << 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchSpace(b, n) })
	}
}

func benchSpace(b *testing.B, benchKeys int) {
	s := filled(b, benchKeys)
	defer s.Close()
	p, r, value := s.Space(0), &stream{3}, make([]byte, 64)
	var buf [16]byte
	key := func() Key { return s.hash.Key(benchKey(&buf, draw(r, benchKeys))) }
	for _, x := range []struct {
		name string
		do   func()
	}{
		{"key", func() { key() }},
		{"hit", func() { p.Find(key()) }},
		{"miss", func() { p.Find(s.hash.Key(benchKey(&buf, benchKeys+draw(r, benchKeys)))) }},
		{"overwrite", func() { p.PutString(key(), value, KindRaw, 0, 0) }},
		{"delete and put", func() { k := key(); p.Delete(k); p.PutString(k, value, KindRaw, 0, 0) }},
		{"random", func() { p.Random(r) }},
		{"sample 5", func() { p.Sample(r, 5, false, func(Entry) {}) }},
		{"scan 10", func() { p.Scan(r.Uint64()>>12, 10, func(Entry) {}) }},
	} {
		timed(b, x.name, func(b *testing.B, n int) {
			for range n {
				x.do()
			}
		})
	}
	for _, what := range []string{"key", "find", "put"} {
		timed(b, "batch of 64/"+what, func(b *testing.B, n int) { batch(b, s, what, value, benchKeys) })
	}
}

func batch(b *testing.B, s *Store, what string, value []byte, benchKeys int) {
	p, r := s.Space(0), &stream{9}
	var buf [64][16]byte
	var keys [64]Key
	for n := 0; n < b.N; n += len(keys) {
		for i := range keys {
			keys[i] = s.hash.Key(benchKey(&buf[i], draw(r, benchKeys)))
		}
		if what == "key" {
			continue
		}
		for i := range keys {
			p.AskTable(keys[i].Place)
		}
		for i := range keys {
			keys[i].Near = p.AskEntry(keys[i].Place)
		}
		for i := range keys {
			if what == "put" {
				p.PutString(keys[i], value, KindRaw, 0, 0)
			} else if !p.Find(keys[i]).Ok() {
				b.Fatal("miss")
			}
		}
	}
}

// The bar is 34 bytes over key and value an entry at a million of 16 + 64.
func TestBytesPerEntry(t *testing.T) {
	const n = 1 << 18
	s := filled(t, n)
	defer s.Close()
	for s.Compact(1<<20) || s.Work(1<<20) {
	}
	st := s.Stats()
	live, reserved := float64(st.Live)/n-80, float64(st.Reserved)/n-80
	t.Logf("live %.1f, reserved %.1f bytes over key and value", live, reserved)
	if live > 22 || reserved > 26 {
		t.Errorf("live %.1f, reserved %.1f bytes over key and value", live, reserved)
	}
}

// No single change takes long, however large what it changes has grown: here
// many keys of one hash tag. What counts is processor time, and of several
// times the same the shortest, as other work on the machine disturbs both.
func TestGrowthDoesNotStall(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	const n, rounds = 200_000, 4
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	puts, deletes := make([]int64, n), make([]int64, n)
	for range rounds {
		s := newMapped(t)
		p := s.Space(0)
		stopwatch(s, puts, func(k Key) { p.PutInt(k, 1, 0, 0) })
		stopwatch(s, deletes, func(k Key) { p.Delete(k) })
		s.Close()
	}
	longest := max(slices.Max(puts), slices.Max(deletes)) / 1000
	t.Logf("longest put %d us, longest delete %d us", slices.Max(puts)/1000, slices.Max(deletes)/1000)
	if longest > 2000 {
		t.Errorf("a change took %d us", longest)
	}
}

// stopwatch does something with each key of a tag and keeps the shortest times.
func stopwatch(s *Store, times []int64, do func(k Key)) {
	for i := range times {
		k := s.hash.Key(fmt.Appendf(nil, "{tag}%d", i))
		start := threadTime()
		do(k)
		took := threadTime() - start
		if times[i] == 0 || took < times[i] {
			times[i] = took
		}
	}
}
