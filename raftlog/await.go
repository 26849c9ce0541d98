package raftlog

import "time"

// Await waits until something holds of the View, and reports false if that did not
// come in time, or the plane was closed.
func (p *Plane) Await(holds func(*View) bool, patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	return p.until(holds, timer.C)
}

// until waits until something holds of the View, and reports false if the time has
// expired before, or the plane was closed. nil never expires.
func (p *Plane) until(holds func(*View) bool, expired <-chan time.Time) bool {
	for {
		p.mu.Lock()
		moved, v := p.moved, p.view.Load()
		p.mu.Unlock()
		if holds(v) {
			return true
		}
		select {
		case <-moved:
		case <-expired:
			return false
		case <-p.closed:
			return false
		}
	}
}

// over tells whether the plane was closed.
func (p *Plane) over() bool {
	select {
	case <-p.closed:
		return true
	default:
		return false
	}
}
