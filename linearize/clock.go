package linearize

import (
	"fmt"
	"math/bits"
)

// A Clock bounds how far the clocks that decide about expiry are from true
// time. The zero Clock is perfect.
type Clock struct {
	// Drift bounds the rate: while x passes in truth, a node's clock advances
	// by between x(1-Drift/1e6) and x(1+Drift/1e6). 0 <= Drift <= 500,000.
	Drift int64
	// Skew bounds, in nanoseconds, what adds up besides: the resolution of the
	// clocks, the age of a reading that is used for a while, and the offset
	// between the clock that set a deadline and the one that enforces it.
	// 0 <= Skew <= MaxTime.
	Skew int64
}

const (
	million  = 1_000_000
	maxDrift = million / 2
)

// Validate tells whether the bounds are out of range.
func (c Clock) Validate() error {
	if c.Drift < 0 || c.Drift > maxDrift || c.Skew < 0 || c.Skew > MaxTime {
		return fmt.Errorf("linearize: clock with drift %d ppm and skew %d ns is out of range", c.Drift, c.Skew)
	}
	return nil
}

// window tells after how much true time, at least and at most, a lifetime is
// over by a node's clock. life <= 2 * MaxTime; it is below 0 if the clock jumped
// further, and so is most if it is over for certain.
func (c Clock) window(life int64) (least, most int64) {
	least, _ = scale(max(0, life-c.Skew), million+c.Drift)
	if life+c.Skew < 0 {
		return 0, -1
	}
	most, rest := scale(life+c.Skew, million-c.Drift)
	if rest > 0 {
		most++
	}
	return least, most
}

// scale is x * million / by with its remainder. 0 <= x <= 3 * MaxTime and
// by >= million/2, so that the quotient fits.
func scale(x, by int64) (quotient, rest int64) {
	hi, lo := bits.Mul64(uint64(x), million)
	q, r := bits.Div64(hi, lo, uint64(by))
	return int64(q), int64(r)
}
