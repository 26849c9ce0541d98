package sim

// Clock is the clock of one machine.
type Clock struct {
	// Offset is how many nanoseconds its civil time is ahead of the true one.
	// Changing it makes the civil time jump.
	Offset int64

	world *World
}

// Epoch is the civil time at which every world begins, in nanoseconds since
// 1970: the third of February 2025, 12:00 UTC.
const Epoch = 1_738_584_000_000_000_000

// Wall is the machine's civil time. Reading it takes a Tick.
func (c *Clock) Wall() int64 { return Epoch + c.read() + c.Offset }

// Monotonic is the time since the world began. Reading it takes a Tick.
func (c *Clock) Monotonic() int64 { return c.read() }

// True is how many nanoseconds of true time pass in a span of the machine's.
func (c *Clock) True(span int64) int64 { return span }

// Boot equals Monotonic: simulated machines do not sleep.
func (c *Clock) Boot() int64 { return c.read() }

func (c *Clock) read() int64 {
	c.world.now += c.world.mix.Tick
	return c.world.now
}
