package wasm

import "math"

// awaiting is how a poller's loop waits to be rung.
type awaiting struct {
	armed bool
	until int64 // true time
}

// arm has a poller rung for when it has something to report, or when a span of the
// node's clock has passed (below 0: no limit).
func (l *life) arm(poller uint32, timeout int64) {
	until := int64(math.MaxInt64)
	if timeout > 0 {
		until = l.world.Now() + l.node.Machine.Clock.True(timeout)
		l.world.At(until, func() {})
	}
	l.armed[poller] = awaiting{true, until}
}

// ring rings for every poller whose loop waits and has something to do.
func (l *life) ring() {
	for i, p := range l.pollers {
		if a := &l.armed[i]; a.armed && (l.world.Now() >= a.until || l.node.Machine.Ready(p)) {
			a.armed = false
			l.bells = append(l.bells, byte(i))
		}
	}
}
