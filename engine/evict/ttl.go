package evict

import "math"

const urgencyMargin = 1000 // milliseconds

// urgency is the higher the nearer the deadline is.
func urgency(_ *Moment, _ uint32, expiry int64) uint64 {
	return uint64(math.MaxInt64 - max(0, expiry))
}
