package sim

import (
	"container/heap"
	"math"
)

// World holds machines, the network between them and the time.
type World struct {
	seed uint64
	mix  Mix

	now   int64 // nanoseconds since the world began
	queue queue // what happens later
	count uint64

	visiting bool   // a program is at a time of its own
	turns    uint64 // rounds ever run, for draws
	links    uint64 // connections ever dialled
	cuts     []*func(Route) bool
	clogged  []*pipe              // that hold something
	lags     []*func(Route) int64 // nanoseconds more
	strains  []*Strain

	addresses map[string]*address
	machines  []*Machine
	trace     trace
	sent      uint64 // pieces of streams
	watch     func(Passage)
}

// New makes a world.
func New(seed uint64, mix Mix) *World {
	if mix.Window == 0 {
		mix.Window = DefaultWindow
	}
	if mix.Tick == 0 {
		mix.Tick = DefaultTick
	}
	return &World{seed: seed, mix: mix, addresses: map[string]*address{}, trace: newTrace()}
}

// Seed is what decides everything that happens.
func (w *World) Seed() uint64 { return w.seed }

// Now is the time in nanoseconds since the world began. Unlike a machine's
// clock it can be read without moving.
func (w *World) Now() int64 { return w.now }

// SetMix makes the world kinder or harsher from now on. Connections that are
// open keep their window.
func (w *World) SetMix(mix Mix) {
	mix.Window, mix.Tick = max(mix.Window, 1), max(mix.Tick, 1)
	w.mix = mix
}

// At has a function called at a time; at once, if that is past, but never before
// the caller goes on.
func (w *World) At(time int64, call func()) {
	w.count++
	heap.Push(&w.queue, happening{max(time, w.now), w.count, call})
}

// Advance moves time by a span of nanoseconds; what is due happens on the way.
func (w *World) Advance(span int64) {
	until := w.now + span
	for len(w.queue) > 0 && w.queue[0].at <= until {
		w.now = max(w.now, w.queue[0].at)
		w.happen()
	}
	w.now = until
}

// Visit runs a program at a time of its own, which is the world's or later, and
// tells at which time it stops. What is due meanwhile waits: the program sees
// what had happened before it began.
func (w *World) Visit(at int64, run func()) int64 {
	now := w.now
	w.now, w.visiting = max(at, now), true
	run()
	at = w.now
	w.now, w.visiting = now, false
	return at
}

// Spend lets time pass for a program that is visited.
func (w *World) Spend(span int64) { w.now += span }

// Skip moves time to the next thing that is planned; false when nothing is. Until
// when pollers wait does not count: whoever visits programs plans when they go on,
// and one may sleep with an event of its poller in its hands.
func (w *World) Skip() bool {
	if len(w.queue) == 0 {
		return false
	}
	w.now = max(w.now, w.queue[0].at)
	return true
}

// Settle lets everything happen that is due.
func (w *World) Settle() {
	for !w.visiting && len(w.queue) > 0 && w.queue[0].at <= w.now {
		w.happen()
	}
}

func (w *World) happen() { heap.Pop(&w.queue).(happening).call() }

// Next is the time of the next happening or end of a wait; false when there is
// none.
func (w *World) Next() (time int64, any bool) {
	time = math.MaxInt64
	if len(w.queue) > 0 {
		time = w.queue[0].at
	}
	for _, m := range w.machines {
		for _, p := range m.network.pollers {
			time = min(time, p.deadline)
		}
	}
	return max(time, w.now), time != math.MaxInt64
}

// happening is something that is going to happen. Of two at one time, the one
// that was planned first comes first.
type happening struct {
	at    int64
	order uint64
	call  func()
}

// queue is a heap of happenings.
type queue []happening

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].order < q[j].order
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue) Push(x any) { *q = append(*q, x.(happening)) }

func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	(*q)[last] = happening{}
	*q = (*q)[:last]
	return x
}
