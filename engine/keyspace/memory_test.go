package keyspace

import (
	"fmt"
	"testing"

	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/sim/invariant"
)

// heapMemory is an env.Memory of Go slices that knows what is mapped.
type heapMemory struct {
	regions map[*byte]int
	bytes   int
	refuse  int // refuse regions from this size on, 0 never
	largest int // of all Unmaps and Discards
	maps    int // calls of Map
	gone    int // bytes that were discarded
}

func newHeapMemory() *heapMemory { return &heapMemory{regions: map[*byte]int{}} }

func (m *heapMemory) Map(size int) ([]byte, error) {
	if size <= 0 || size%m.PageSize() != 0 {
		panic(fmt.Sprintf("map of %d bytes", size))
	}
	if m.refuse > 0 && size >= m.refuse {
		return nil, fmt.Errorf("no memory")
	}
	region := make([]byte, size)
	m.regions[&region[0]] = size
	m.bytes += size
	m.maps++
	return region, nil
}

func (m *heapMemory) Unmap(region []byte) {
	if size, ok := m.regions[&region[0]]; !ok || size != len(region) {
		panic("unmap of what is not a region")
	}
	delete(m.regions, &region[0])
	m.bytes -= len(region)
	clear(region[:min(len(region), 64)]) // so that use after release shows
}

func (m *heapMemory) Discard(part []byte) {
	if len(part)%m.PageSize() != 0 {
		panic("discard of a broken page")
	}
	m.largest = max(m.largest, len(part))
	m.gone += len(part)
	clear(part)
}

func (m *heapMemory) PageSize() int   { return 4096 }
func (m *heapMemory) Resident() int64 { return 0 }

// stream is an env.Rand: splitmix64.
type stream struct{ state uint64 }

func (s *stream) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (s *stream) Fork() env.Rand { return &stream{s.Uint64()} }

// bench is a store with what surrounds it.
type bench struct {
	*Store
	memory *heapMemory
	ledger *Ledger
	rand   *stream
}

type fataler interface{ Fatal(args ...any) }

func newBench(t fataler, opts Options) *bench {
	b := &bench{memory: newHeapMemory(), ledger: NewLedger(0), rand: &stream{1}}
	if opts.ChunkBytes == 0 {
		opts.ChunkBytes = 64 << 10
	}
	if opts.Hash.seed0 == 0 {
		drop := opts.Hash.drop
		opts.Hash = NewHash(b.rand)
		opts.Hash.drop = drop
	}
	store, err := NewStore(b.memory, b.ledger, opts)
	if err != nil {
		t.Fatal(err)
	}
	b.Store = store
	return b
}

func (b *bench) key(s string) Key { return b.hash.Key([]byte(s)) }

func (b *bench) keyf(format string, args ...any) Key { return b.key(fmt.Sprintf(format, args...)) }

// settle does all work that is left.
func (b *bench) settle() {
	for b.Work(1000) {
	}
}

// deep turns deep checks on for one test.
func deep(t testing.TB) {
	invariant.Deep = true
	t.Cleanup(func() { invariant.Deep = false })
}
