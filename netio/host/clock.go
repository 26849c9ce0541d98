package host

import (
	"sync/atomic"
	"time"

	"github.com/elares/ironcache/sim/env"
)

// wallAge is for how many nanoseconds the distance between the two clocks is
// believed. Both are slewed alike, so the distance changes only when the civil
// time is set; such a jump is seen this much later.
const wallAge = int64(time.Millisecond)

// clock reads one system clock for each reading of either time: the civil time
// is the monotonic one plus a distance that is measured every wallAge.
type clock struct {
	start    time.Time
	distance atomic.Int64 // Wall - Monotonic
	measured atomic.Int64 // when, by Monotonic
}

// NewClock gives the system's clock. Monotonic counts from this call.
func NewClock() env.Clock {
	c := &clock{start: time.Now()}
	c.measure()
	return c
}

func (c *clock) Monotonic() int64 { return int64(time.Since(c.start)) }

func (c *clock) Wall() int64 {
	now := c.Monotonic()
	if now-c.measured.Load() < wallAge {
		return now + c.distance.Load()
	}
	return c.measure()
}

// measure reads both clocks at one moment and gives the civil time. A thread
// that loses its core between the two readings tries again.
func (c *clock) measure() int64 {
	var wall, mono int64
	for range 4 {
		before := c.Monotonic()
		now := time.Now()
		wall, mono = now.UnixNano(), int64(now.Sub(c.start))
		if mono-before < int64(10*time.Microsecond) {
			break
		}
	}
	c.distance.Store(wall - mono)
	c.measured.Store(mono)
	return wall
}
