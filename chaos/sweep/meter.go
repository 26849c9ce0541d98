package sweep

import "sync"

// meter shares the processor time of the process out over the seeds that run: each
// that is under way gets an equal part of what is spent meanwhile, the garbage
// collector's work included.
type meter struct {
	spent func() float64 // processor time of the process, in seconds

	mu      sync.Mutex
	running int
	last    float64 // what was spent when a seed last began or ended
	each    float64 // what a seed that runs since the beginning would have had
}

// begin notes that a seed begins, and gives what end wants.
func (m *meter) begin() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pass()
	m.running++
	return m.each
}

// end gives the processor time of a seed that ends.
func (m *meter) end(began float64) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pass()
	m.running--
	return m.each - began
}

// pass shares out what was spent since it was last called.
func (m *meter) pass() {
	now := m.spent()
	if m.running > 0 {
		m.each += (now - m.last) / float64(m.running)
	}
	m.last = now
}
