package slots

import "fmt"

// Lease is how long leases last and how long their end is waited for. All
// nodes of a cluster have the same. Times are nanoseconds of a clock that counts
// while the machine sleeps (CLOCK_BOOTTIME) and that is never set; only
// differences of readings of one node's clock mean anything.
//
// A holder's clock and a leader's run at rates between 1-d and 1+d of true
// time, d = Drift/1e6. What the holder counts as Length lasts at most
// Length/(1-d); what the leader counts as Wait lasts at least Wait/(1+d). So
// the leader is safe with Wait >= Length*(1+d)/(1-d), which is
//
//	Length + 2d*Length + 2d²/(1-d)*Length.
//
// Wait has the first two terms and Margin must cover the third.
type Lease struct {
	Length int64 // nanoseconds from the sending of a request
	Drift  int64 // bound of how fast or slow a clock runs, parts per million
	Margin int64 // nanoseconds, added to the wait
}

const million = int64(1_000_000) // nanoseconds of a millisecond, and the parts of Drift

// Bounds of a Lease.
const (
	MinLength = 50 * million         // a lease below the time of a commit is never held
	MaxLength = 600 * 1000 * million // ten minutes without an owner is an outage
	MaxDrift  = int64(100_000)       // parts per million
	MinMargin = million              // readings are rounded to a clock's ticks
)

// DefaultLease outlives the loss of a leader: elections take half a second,
// the next commit after one about another.
var DefaultLease = Lease{Length: 2500 * million, Drift: 1000, Margin: 100 * million}

// Validate tells what is wrong with a configuration.
func (l Lease) Validate() error {
	switch least := l.leastMargin(); {
	case l.Length < MinLength || l.Length > MaxLength:
		return fmt.Errorf("slots: a lease of %d ns: it must last %d to %d ns", l.Length, MinLength, MaxLength)
	case l.Drift < 0 || l.Drift > MaxDrift:
		return fmt.Errorf("slots: a clock drift of %d ppm: it must be 0 to %d", l.Drift, MaxDrift)
	case l.Margin < least:
		return fmt.Errorf("slots: a lease margin of %d ns: a lease of %d ns at %d ppm needs at least %d",
			l.Margin, l.Length, l.Drift, least)
	case l.Margin > l.Length:
		return fmt.Errorf("slots: a lease margin of %d ns: it is longer than the lease of %d ns", l.Margin, l.Length)
	}
	return nil
}

// leastMargin covers the term of second order, 2d²/(1-d)*Length. It is never
// too small: every division rounds up.
func (l Lease) leastMargin() int64 {
	if l.Length < 0 || l.Length > MaxLength || l.Drift < 0 || l.Drift > MaxDrift {
		return MinMargin // refused for another reason
	}
	first := up(2*l.Length*l.Drift, million) // 2d*Length, below 2^63
	return max(MinMargin, up(first*l.Drift, million-l.Drift))
}

func up(a, b int64) int64 { return (a + b - 1) / b }

// Until is when the lease of a request ends that was sent at a time, by the
// holder's clock.
func (l Lease) Until(sent int64) int64 { return sent + l.Length }

// Wait is how long a leader waits by its clock, from a reading taken after it
// applied a node's last Renew, or its own first Barrier if that is later, until
// no process can hold a lease that this Renew or an earlier one granted.
func (l Lease) Wait() int64 {
	return l.Length + up(2*l.Length*l.Drift, million) + l.Margin
}

// Over tells whether a wait that began with a reading of the leader's clock is
// over now.
func (l Lease) Over(applied, now int64) bool { return now-applied >= l.Wait() }

// Period is how often a lease is to be renewed: two renewals may fail.
func (l Lease) Period() int64 { return l.Length / 3 }
