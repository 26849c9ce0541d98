package command

// What TTL and its kin reply when there is no time to tell.
const (
	noExpiry = -1
	noKey    = -2
)

// ttl replies with the seconds until a key expires.
func ttl(c *Call) error { return c.replyExpiry(c.Now, 1000) }

// pttl replies with the milliseconds until a key expires.
func pttl(c *Call) error { return c.replyExpiry(c.Now, 1) }

// expiretime replies with the Unix time in seconds at which a key expires.
func expiretime(c *Call) error { return c.replyExpiry(0, 1000) }

// pexpiretime replies with the Unix time in milliseconds at which a key expires.
func pexpiretime(c *Call) error { return c.replyExpiry(0, 1) }

// replyExpiry replies with the time from since, Unix milliseconds, to the
// expiry of the key, rounded to units of so many milliseconds.
func (c *Call) replyExpiry(since, unit int64) error {
	e := c.peek(1)
	switch {
	case !e.Ok():
		c.Reply.Int(noKey)
	case e.Expiry() == 0:
		c.Reply.Int(noExpiry)
	default:
		left := uint64(max(e.Expiry()-since, 0))
		c.Reply.Int(int64((left + uint64(unit/2)) / uint64(unit)))
	}
	return nil
}
