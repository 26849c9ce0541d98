package slots

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLeaseValidate(t *testing.T) {
	for _, c := range []struct {
		lease Lease
		want  string
	}{
		{DefaultLease, ""},
		{Lease{MinLength, 0, MinMargin}, ""},
		{Lease{MaxLength, MaxDrift, MaxLength}, ""},
		{Lease{MinLength - 1, 0, MinMargin}, "a lease of"},
		{Lease{MaxLength + 1, 0, MinMargin}, "a lease of"},
		{Lease{-1, -1, -1}, "a lease of"},
		{Lease{MinLength, -1, MinMargin}, "clock drift"},
		{Lease{MinLength, MaxDrift + 1, MinMargin}, "clock drift"},
		{Lease{MinLength, 0, MinMargin - 1}, "needs at least 1000000"},
		{Lease{MinLength, 0, MinLength + 1}, "longer than the lease"},
		// 2d² / (1-d) of ten seconds is 222 ms at a tenth.
		{Lease{10_000 * million, MaxDrift, 222 * million}, "needs at least 222222223"},
		{Lease{10_000 * million, MaxDrift, 222_222_223}, ""},
	} {
		err := c.lease.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.lease, err, c.want)
		}
	}
}

func drawLease(t *rapid.T) Lease {
	l := Lease{Length: rapid.Int64Range(MinLength, MaxLength).Draw(t, "length"), Drift: rapid.Int64Range(0, MaxDrift).Draw(t, "drift")}
	l.Margin = l.leastMargin() + rapid.Int64Range(0, 2).Draw(t, "more")*million/1000
	if l.Margin > l.Length {
		t.Skip("the margin is longer than the lease")
	}
	return l
}

// Whatever the rates of two clocks within the bound, the leader's wait ends no
// sooner in true time than a lease that began when the wait did.
func TestWaitOutlastsTheLease(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLease(t)
		if err := l.Validate(); err != nil {
			t.Fatal(err)
		}
		slow, fast := big.NewRat(million-l.Drift, million), big.NewRat(million+l.Drift, million)
		holder := new(big.Rat).Quo(big.NewRat(l.Length, 1), slow)
		leader := new(big.Rat).Quo(big.NewRat(l.Wait(), 1), fast)
		if leader.Cmp(holder) < 0 {
			t.Fatalf("%+v: the leader waits %v, the lease lasts %v", l, leader, holder)
		}
	})
}

// A margin one below the least one is refused and, where the drift decides it,
// within a few nanoseconds of being too short: the bound is no larger than it has
// to be.
func TestLeastMarginIsTight(t *testing.T) {
	l := Lease{Length: MaxLength, Drift: MaxDrift}
	l.Margin = l.leastMargin() - 4
	slow, fast := big.NewRat(million-l.Drift, million), big.NewRat(million+l.Drift, million)
	holder := new(big.Rat).Quo(big.NewRat(l.Length, 1), slow)
	leader := new(big.Rat).Quo(big.NewRat(l.Wait(), 1), fast)
	if leader.Cmp(holder) >= 0 || l.Validate() == nil {
		t.Errorf("%+v suffices", l)
	}
}

func TestLeaseTimes(t *testing.T) {
	l := Lease{Length: 1000 * million, Drift: 1000, Margin: 10 * million}
	if got := l.Wait(); got != 1012*million {
		t.Errorf("Wait() = %d", got)
	}
	if l.Until(5) != 1000*million+5 || l.Period() != 333_333_333 {
		t.Errorf("Until %d, Period %d", l.Until(5), l.Period())
	}
	for now, want := range map[int64]bool{0: false, 7: false, 7 + 1012*million - 1: false, 7 + 1012*million: true} {
		if got := l.Over(7, now); got != want {
			t.Errorf("over at %d: %v", now, got)
		}
	}
}
