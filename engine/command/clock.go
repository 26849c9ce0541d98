package command

import "github.com/elares/ironcache/engine/keyspace"

// An access clock has 24 bits. Under LRU it is the second of the last use.
// Under LFU it is the minute of the last use (16 bits) and a counter that grows
// with the logarithm of the uses (8 bits). (Redis documentation, "Key eviction".)
const (
	clockMask   = 1<<24 - 1
	minuteMask  = 1<<16 - 1
	counterMask = 1<<8 - 1
	counterInit = 5 // of a key just made, so that it outlives a while
)

// clock is what the clock of an entry becomes when it is used now. e may be
// none: the clock of a fresh key.
func (c *Call) clock(e keyspace.Entry) uint32 {
	if c.Policy.LFU {
		return c.counted(e)
	}
	return c.second()
}

// fresh is the clock of a key that was just made.
func (c *Call) fresh() uint32 { return c.clock(none) }

// touch notes that an entry is used now.
func (c *Call) touch(e keyspace.Entry) {
	if !c.NoTouch {
		c.touchAnyway(e)
	}
}

func (c *Call) touchAnyway(e keyspace.Entry) {
	if clock := c.clock(e); clock != e.Clock() {
		e.SetClock(clock)
	}
}

func (c *Call) second() uint32 { return uint32(c.Now/1000) & clockMask }

func (c *Call) minute() uint32 { return uint32(c.Now/60000) & minuteMask }

// idle is the seconds since a LRU clock was set.
func (c *Call) idle(clock uint32) int64 { return int64((c.second() - clock) & clockMask) }

// counted is the LFU clock after one more use.
func (c *Call) counted(e keyspace.Entry) uint32 {
	counter := uint32(counterInit)
	if e.Ok() {
		counter = c.grow(c.decayed(e.Clock()))
	}
	return c.minute()<<8 | counter
}

// decayed is the counter of a LFU clock, less one for every LFUDecayTime
// minutes that went by.
func (c *Call) decayed(clock uint32) uint32 {
	counter := clock & counterMask
	if c.Policy.LFUDecayTime <= 0 {
		return counter
	}
	periods := (c.minute() - clock>>8) & minuteMask / uint32(c.Policy.LFUDecayTime)
	return counter - min(counter, periods)
}

// grow adds one to a counter with a chance that falls as the counter grows.
func (c *Call) grow(counter uint32) uint32 {
	if counter == counterMask {
		return counter
	}
	above := float64(max(counter, counterInit) - counterInit)
	chance := float64(c.Rand.Uint64()>>11) / (1 << 53)
	if chance < 1/(above*float64(c.Policy.LFULogFactor)+1) {
		counter++
	}
	return counter
}
