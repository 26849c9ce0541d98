//go:build !linux && !darwin

package host

// Boot equals Monotonic: nothing better is known of this system.
func (c *clock) Boot() int64 { return c.Monotonic() }
