package host

import "golang.org/x/sys/unix"

// Boot reads CLOCK_BOOTTIME, which goes on while the machine sleeps.
func (c *clock) Boot() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		return c.Monotonic() // a kernel older than 2.6.39
	}
	return now.Nano()
}
