package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/keyspace"
)

// settle runs background work until none is left, and fails the test when a
// call takes long.
func (r *rig) settle() {
	r.t.Helper()
	for range 100_000 {
		more := false
		for _, s := range r.shards {
			from := r.clock.now
			more = s.Background(300_000) || more
			if took := r.clock.now - from; took > 500_000 {
				r.t.Fatalf("a call took %d ns", took)
			}
		}
		if !more {
			return
		}
	}
	r.t.Fatal("background work does not end")
}

// TestFragmentedMemoryIsReturned deletes most keys of a full store: what it
// holds from the system follows.
func TestFragmentedMemoryIsReturned(t *testing.T) {
	r := newRig(t, 1, 0, keyspace.Options{}, usual("noeviction"))
	text := strings.Repeat("x", 4000)
	for i := range 30000 {
		r.must("+OK\r\n", "SET", fmt.Sprint("key:", i), text[:1+r.rand.below(4000)])
	}
	for i := range 30000 {
		if i%5 != 0 {
			r.must(":1\r\n", "DEL", fmt.Sprint("key:", i))
		}
	}
	before := r.stores[0].Stats()
	r.settle()
	after := r.stores[0].Stats()
	if after.Fragmentation() > 0.2 || before.Fragmentation() < 0.3 {
		t.Errorf("fragmentation %.2f before, %.2f after (%d bytes reserved, %d live)",
			before.Fragmentation(), after.Fragmentation(), after.Reserved, after.Live)
	}
	for i := 0; i < 30000; i += 5 {
		if !r.has(0, fmt.Sprint("key:", i)) {
			t.Fatalf("key:%d is lost", i)
		}
	}
}

// TestClearedSpaceIsFreed drops a whole database.
func TestClearedSpaceIsFreed(t *testing.T) {
	r := newRig(t, 1, 64<<20, keyspace.Options{}, usual("noeviction"))
	empty := r.live()
	for i := range 30000 {
		r.must("+OK\r\n", "SET", fmt.Sprint("key:", i), "value")
	}
	r.stores[0].Space(0).Clear()
	r.settle()
	if r.live() > empty+1<<16 {
		t.Errorf("%d bytes are held, %d when the store was made", r.live(), empty)
	}
	if used := r.ledger.Used(); used != r.live() {
		t.Errorf("the ledger shows %d bytes, %d are held", used, r.live())
	}
}

// TestLowerLimitIsReachedInSteps lowers maxmemory of a full node that gets no
// commands.
func TestLowerLimitIsReachedInSteps(t *testing.T) {
	r := newRig(t, 4, 32<<20, keyspace.Options{}, usual("allkeys-lru"))
	value := strings.Repeat("x", 500)
	for i := range 70000 {
		r.must("+OK\r\n", "SET", fmt.Sprint("key:", i), value)
	}
	r.settle()
	if r.evicted() == 0 {
		t.Fatal("nothing was evicted")
	}
	const lower = 8 << 20
	r.ledger.SetLimit(lower)
	r.settle()
	if live := r.live(); live > lower || live < lower*3/4 {
		t.Errorf("%d bytes are held, the limit is %d", live, lower)
	}
	r.must("+OK\r\n", "SET", "key", value)
}

// TestReturnedMemoryServesOthers has one shard shrink and the other grow.
func TestReturnedMemoryServesOthers(t *testing.T) {
	const limit = 2 << 20
	r := newRig(t, 2, limit, keyspace.Options{}, usual("noeviction"))
	value := strings.Repeat("x", 1000)
	n := 0
	for r.do("SET", r.keyOn(0, n), value) == "+OK\r\n" {
		if n++; n > 10000 {
			t.Fatalf("%d bytes are held and still nothing is refused", r.live())
		}
	}
	for i := range n {
		r.do("DEL", r.keyOn(0, i))
	}
	r.settle()
	for i := range n * 9 / 10 {
		r.must("+OK\r\n", "SET", r.keyOn(1, i), value)
	}
}
