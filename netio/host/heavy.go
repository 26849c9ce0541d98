package host

// Heavy bounds how many goroutines do heavy work for the CPU at a time, such as
// compression, encryption, handshakes and verification. Each one beyond the
// cores that loops leave free delays the loops' wake-ups by a time slice.
type Heavy struct{ seats chan struct{} }

// NewHeavy allows so many at a time, at least one.
func NewHeavy(limit int) *Heavy { return &Heavy{make(chan struct{}, max(limit, 1))} }

// Go runs work on a goroutine as soon as a seat is free. It returns at once, so
// a loop may call it; the work must hand its result over by itself.
func (h *Heavy) Go(work func()) { go h.Do(work) }

// Do waits for a seat and runs work. No loop may call it.
func (h *Heavy) Do(work func()) {
	h.seats <- struct{}{}
	defer func() { <-h.seats }()
	work()
}
