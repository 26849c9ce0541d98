package host

import "sync/atomic"

// Aside does what no loop should do itself, such as giving memory back to the
// system: one errand after the other, on a goroutine that is there while there
// is something to do. The zero value is ready. Whoever asks never waits, not
// even for a lock.
type Aside struct {
	// top is nil while nobody runs errands, else the last one that came in
	// since the runner last looked, and those before it, down to atWork.
	top atomic.Pointer[errand]
}

type errand struct {
	work   func()
	before *errand
}

// atWork stands for a runner who is busy with what came in earlier.
var atWork = new(errand)

// Do returns at once; the work is done soon. Any thread may call it.
func (a *Aside) Do(work func()) {
	e := &errand{work: work}
	before := a.top.Load()
	for e.before = before; !a.top.CompareAndSwap(before, e); e.before = before {
		before = a.top.Load()
	}
	if before == nil {
		go a.run()
	}
}

func (a *Aside) run() {
	for !a.top.CompareAndSwap(atWork, nil) {
		last := a.top.Swap(atWork)
		for e := reversed(last); e != nil; e = e.before {
			e.work()
		}
	}
}

// reversed gives the errands down to atWork or nil in the order they came in.
func reversed(last *errand) (first *errand) {
	for last != nil && last != atWork {
		last, last.before, first = last.before, first, last
	}
	return first
}
