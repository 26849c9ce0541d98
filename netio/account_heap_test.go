package netio

import (
	"strings"
	"testing"
)

// heapStory is a Go heap of which a test says what is in use.
type heapStory struct {
	found, inUse int64 // as of the last collection, and now
	collections  int
}

func (h *heapStory) collect() { h.found, h.collections = h.inUse, h.collections+1 }

// newHeapStory tells it to a node.
func newHeapStory(t *testing.T) (*heapStory, *town) {
	h, place := &heapStory{found: 5 << 20, inUse: 5 << 20}, newTown(t, 2, debugOn, "client-query-buffer-limit=8000000")
	place.node.about.HeapBytes = func() int64 { return h.found }
	place.node.about.CollectHeap = h.collect
	place.node.aside = func(work func()) { work() }
	return h, place
}

// What the last collection found counts only if it is still in use.
func TestHeapIsChargedWithoutGarbage(t *testing.T) {
	h, place := newHeapStory(t)
	place.pass(1000)
	used := place.node.ledger.Used()
	h.found = 400 << 20
	for range 50 {
		place.pass(20)
		if n := place.node.ledger.Used(); n > used {
			t.Fatalf("%d bytes of garbage are charged", n-used)
		}
	}
	if h.collections > 2 {
		t.Errorf("%d collections", h.collections)
	}
}

// What is in use is charged, and no more charged soon after it is let go, even
// if nothing else makes Go collect.
func TestHeapInUseIsCharged(t *testing.T) {
	h, place := newHeapStory(t)
	place.pass(1000)
	used := place.node.ledger.Used()
	h.found, h.inUse = 100<<20, 90<<20
	place.pass(1000)
	if n := place.node.ledger.Used() - used; n != 85<<20 {
		t.Errorf("%d bytes are charged", n)
	}
	place.pass(60_000)
	if h.collections > 10 {
		t.Errorf("%d collections of a heap that stays", h.collections)
	}
	h.inUse = 5 << 20
	place.pass(70_000)
	if n := place.node.ledger.Used(); n > used {
		t.Errorf("%d bytes are still charged", n-used)
	}
}

// What a client sends into mapped memory, and what the stores have in the heap,
// counts once.
func TestHeapIsCountedOnce(t *testing.T) {
	h, place := newHeapStory(t)
	place.node.sparse = true
	c := place.dial()
	place.pass(1000)
	used := place.node.ledger.Used()
	c.Send([]byte("*2\r\n$4\r\necho\r\n$3000000\r\n" + strings.Repeat("x", 2_000_000)))
	place.pass(1000)
	if n := place.node.ledger.Used() - used; n < 2_000_000 || n > 2_200_000 {
		t.Errorf("half a request counts %d bytes", n)
	}
	if n := place.node.mappedBytes(); n < 2_000_000 {
		t.Errorf("%d bytes are mapped", n)
	}
	c.Close()
	place.pass(1000)
	if n := place.node.ledger.Used() - used; n > 100_000 || place.node.mappedBytes() != 0 {
		t.Errorf("%d bytes are left, %d mapped", n, place.node.mappedBytes())
	}
	tables := place.node.ledger.InHeap()
	place.dial().line("debug populate 100000")
	place.pass(1000)
	if n := place.node.ledger.InHeap() - tables; n < 1000 {
		t.Errorf("the tables of many keys have %d bytes in the heap", n)
	}
	if n := h.found - place.node.heap.charged; n < place.node.ledger.InHeap() {
		t.Errorf("%d bytes of the heap are known, %d lie in tables", n, place.node.ledger.InHeap())
	}
}
