package evict

// An LFU clock is the minute of the last use, modulo 2^16, and below it a
// counter of 8 bits that grows with the logarithm of the uses.
const (
	minuteMask  = 1<<16 - 1
	counterMask = 1<<8 - 1

	rarityMargin = 2 // counts
)

// rarity is how far the counter, less what has decayed since the last use, is
// from its maximum.
func rarity(m *Moment, clock uint32, _ int64) uint64 {
	counter := clock & counterMask
	if m.Decay > 0 {
		minutes := (uint32(m.Now/60000) - clock>>8) & minuteMask
		counter -= min(counter, minutes/uint32(m.Decay))
	}
	return uint64(counterMask - counter)
}
