package evict

// An LRU clock is the second of the last use, modulo 2^24 (194 days).
const (
	clockMask = 1<<24 - 1
	// ahead is how far, in seconds, a clock may lie in the future: after the
	// time was set back, what was just used must not look ages old.
	ahead = 24 * 3600

	idlenessMargin = 2 // seconds
)

// idleness is the seconds since the last use.
func idleness(m *Moment, clock uint32, _ int64) uint64 {
	idle := (uint32(m.Now/1000) - clock) & clockMask
	if idle > clockMask-ahead {
		return 0
	}
	return uint64(idle)
}
