package sim

import "math/bits"

// Clock is the clock of one machine.
type Clock struct {
	// Offset is how many nanoseconds its civil time is ahead of the true one.
	// Changing it makes the civil time jump.
	Offset int64

	world *World
	drift int64 // parts per million by which it runs fast
	// What it showed, but for Offset, at a true time; drift counts from there.
	shown, since int64
}

// Epoch is the civil time at which every world begins, in nanoseconds since
// 1970: the third of February 2025, 12:00 UTC.
const Epoch = 1_738_584_000_000_000_000

// Wall is the machine's civil time. Reading it takes a Tick.
func (c *Clock) Wall() int64 { return Epoch + c.read() + c.Offset }

// Monotonic is the time since the world began, as the machine counts it. Reading
// it takes a Tick.
func (c *Clock) Monotonic() int64 { return c.read() }

// Boot equals Monotonic: simulated machines do not sleep.
func (c *Clock) Boot() int64 { return c.read() }

// Peek is what Monotonic would show, for those who stand outside of the world:
// it takes no time.
func (c *Clock) Peek() int64 { return c.shows() }

// Drift makes the clock run fast by so many parts per million from now on, slow
// if below 0; more than -1,000,000.
func (c *Clock) Drift(ppm int64) {
	c.shown, c.since = c.shows(), c.world.now
	c.drift = ppm
}

// True is how many nanoseconds of true time pass, at least, in a span of the
// machine's.
func (c *Clock) True(span int64) int64 {
	if c.drift == 0 {
		return span
	}
	return scale(span, million, million+c.drift) + 1
}

func (c *Clock) read() int64 {
	c.world.now += c.world.mix.Tick
	return c.shows()
}

// shows is what the clock shows, but for Offset.
func (c *Clock) shows() int64 {
	return c.shown + scale(c.world.now-c.since, million+c.drift, million)
}

// scale is span*by/of, of spans that are not negative.
func scale(span, by, of int64) int64 {
	high, low := bits.Mul64(uint64(span), uint64(by))
	quotient, _ := bits.Div64(high, low, uint64(of))
	return int64(quotient)
}
