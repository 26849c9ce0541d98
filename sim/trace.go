package sim

import (
	"fmt"
	"hash/fnv"
)

// trace is what happened in a world, as a running hash.
type trace struct {
	sum  uint64
	size uint64
	tell func(line string)
}

func newTrace() trace { return trace{sum: fnv.New64a().Sum64()} }

// Trace is a number that two runs share only if the same things happened in
// them at the same times.
func (w *World) Trace() uint64 { return w.trace.sum }

// Step is how many events the trace has so far.
func (w *World) Step() uint64 { return w.trace.size }

// Tell has every line of the trace told as it happens; nil ends that.
func (w *World) Tell(tell func(line string)) { w.trace.tell = tell }

// Note adds an event to the trace: what happened to which thing, and a size.
func (w *World) Note(what string, id uint64, size int64) {
	t := &w.trace
	t.size++
	for _, word := range [...]uint64{uint64(w.now), id, uint64(size)} {
		t.sum = (t.sum ^ word) * 0x100000001b3
	}
	for i := range len(what) {
		t.sum = (t.sum ^ uint64(what[i])) * 0x100000001b3
	}
	if t.tell != nil {
		t.tell(fmt.Sprintf("%12d %s %d %d", w.now, what, id, size))
	}
}
