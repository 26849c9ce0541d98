//go:build linux

package keyspace

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"runtime/debug"
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
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		panic(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

func BenchmarkFresh(b *testing.B) {
	timed(b, "put", func(b *testing.B, n int) { filled(b, n).Close() })
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
	for n := 0; n < b.N; n += 64 {
		for i := range keys {
			keys[i] = s.hash.Key(benchKey(&buf[i], draw(r, benchKeys)))
		}
		if what == "key" {
			continue
		}
		for i := range keys {
			p.Prefetch1(keys[i].Place)
		}
		for i := range keys {
			p.Prefetch2(keys[i].Place)
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

func TestBytesPerEntry(t *testing.T) {
	defer debug.FreeOSMemory()
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		s := filled(t, n)
		st := s.Stats()
		over := func(bytes int64) float64 { return float64(bytes)/float64(n) - 80 }
		fmt.Printf("%d keys: live %.1f, reserved %.1f bytes over key and value; tables %.1f; %d segments\n",
			n, over(st.Live), over(st.Reserved), float64(st.Tables)/float64(n), st.Segments)
		for s.Compact(1 << 20) {
		}
		for s.Work(1 << 20) {
		}
		fmt.Printf("    after compaction: reserved %.1f, idle pages %d, spans %.3f\n", over(s.Stats().Reserved), s.idle, float64(s.spanLive)/float64(s.spanHeld))
		s.Close()
	}
}
