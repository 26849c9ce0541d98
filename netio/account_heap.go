package netio

import "sync/atomic"

// heapAccount is what the ledger counts of the Go heap, apart from the buffers
// of connections and what stores have there, which are counted one by one. The
// first loop owns it.
//
// What the heap holds is known as of the last collection, and serving makes so
// little garbage that the next may be minutes away. Until then what a client or
// a command has let go would push keys out. So a figure that leaps, or stays
// high, is not believed before a collection asked for has found it again.
type heapAccount struct {
	charged int64       // in the ledger
	under   atomic.Bool // a collection is under way
	asked   int64       // the figure that it was to confirm; 0: there was none
	askAt   int64       // the moment from which on the next may be asked for
	pause   int64       // how long that is after the last one
}

const (
	// heapLeap is by how many bytes the heap grows at once only if something
	// unusual goes on, heapHigh what it holds only then.
	heapLeap, heapHigh = 4 << 20, 16 << 20
	// leastHeapPause and mostHeapPause bound the nanoseconds between two
	// collections of a heap that stays high.
	leastHeapPause, mostHeapPause = 1e9, 60e9
)

// chargeHeap counts the Go heap in the ledger. Only the first loop does.
func (l *Loop) chargeHeap() {
	n, h := l.node, &l.node.heap
	if l.id != 0 || n.about.HeapBytes == nil || h.under.Load() {
		return
	}
	heap := max(0, n.about.HeapBytes()-n.countedHeap())
	if n.about.CollectHeap != nil && n.aside != nil && h.doubts(heap, l.mono) {
		h.under.Store(true)
		n.aside(func() {
			n.about.CollectHeap()
			h.under.Store(false)
		})
		return
	}
	n.ledger.Charge(heap - h.charged)
	h.charged = heap
	if n.startupBytes == 0 {
		n.startupBytes = n.ledger.Used()
		n.warnTight()
	}
}

// countedHeap is what of the Go heap the ledger counts one by one. Where memory
// that costs nothing until it is written cannot be mapped, regions lie in there.
func (n *Node) countedHeap() int64 {
	counted := n.clientBytes() + n.ledger.InHeap()
	if n.sparse {
		counted -= n.mappedBytes()
	}
	return counted
}

// doubts tells whether a collection has to confirm that the heap is as large.
func (h *heapAccount) doubts(heap, now int64) bool {
	leaps := heap > h.charged+heapLeap
	if h.asked > 0 {
		h.settle(heap, now)
		return false
	}
	if !leaps && (heap < heapHigh || now < h.askAt) {
		return false
	}
	if leaps {
		h.pause = leastHeapPause
	}
	h.asked = heap
	return true
}

// settle takes note of what a collection has found. When most was in use, it
// likely is for longer.
func (h *heapAccount) settle(heap, now int64) {
	if heap < h.asked/4*3 {
		h.pause = leastHeapPause
	}
	h.asked, h.askAt = 0, now+h.pause
	h.pause = min(2*h.pause, mostHeapPause)
}
