package evict

import (
	"math"
	"sort"
	"testing"
)

const day = 24 * 3600

func TestPoliciesAreSortedAndFound(t *testing.T) {
	if !sort.SliceIsSorted(policies[:], func(i, j int) bool { return policies[i].Name < policies[j].Name }) {
		t.Error("policies are not sorted by name")
	}
	for i := range policies {
		if Named(policies[i].Name) != &policies[i] {
			t.Errorf("Named(%q) finds another row", policies[i].Name)
		}
	}
	if p := Named("no such policy"); !p.Never {
		t.Errorf("an unknown policy evicts: %+v", p)
	}
}

func TestIdleness(t *testing.T) {
	const now = 1_700_000_000 // seconds
	m := &Moment{Now: now * 1000}
	for _, c := range []struct {
		used int64 // second of the last use
		want uint64
	}{
		{now, 0},
		{now - 1, 1},
		{now - 100*day, 100 * day},
		{now - 193*day, 193*day - 0},
		{now + 5, 0},       // the time was set back
		{now + day - 1, 0}, // by a day
		{now - 1<<24, 0},   // the clock went round once
		{now - 1<<24 - 9, 9},
	} {
		if got := idleness(m, uint32(c.used)&clockMask, 0); got != c.want {
			t.Errorf("used at %d, now %d: idleness %d, want %d", c.used, now, got, c.want)
		}
	}
}

func TestIdlenessWrapsWithTheClock(t *testing.T) {
	const wrap = 101 << 24 // a second at which the 24 bits are zero
	m := &Moment{Now: (wrap + 3) * 1000}
	if got := idleness(m, clockMask-1, 0); got != 5 {
		t.Errorf("two seconds before the wrap, seen three after it: idleness %d, want 5", got)
	}
}

func TestRarity(t *testing.T) {
	const minute = 28_000_000
	for _, c := range []struct {
		counter uint32
		ago     int64 // minutes
		decay   int
		want    uint64
	}{
		{0, 0, 1, 255},
		{255, 0, 1, 0},
		{5, 0, 1, 250},
		{100, 10, 1, 165},
		{100, 10, 5, 157},
		{100, 10, 0, 155},    // no decay
		{3, 1000, 1, 255},    // not below zero
		{100, 65546, 1, 165}, // the minutes went round once
	} {
		clock := uint32((minute-c.ago)&minuteMask)<<8 | c.counter
		got := rarity(&Moment{Now: minute * 60000, Decay: c.decay}, clock, 0)
		if got != c.want {
			t.Errorf("counter %d, %d minutes ago, decay %d: rarity %d, want %d",
				c.counter, c.ago, c.decay, got, c.want)
		}
	}
}

func TestUrgency(t *testing.T) {
	if urgency(nil, 0, 1000) <= urgency(nil, 0, 1001) {
		t.Error("a nearer deadline is no better victim")
	}
	if urgency(nil, 0, 1000) <= urgency(nil, 0, math.MaxInt64) {
		t.Error("the farthest deadline is a better victim than a near one")
	}
}

func TestColder(t *testing.T) {
	lru, random := Named("allkeys-lru"), Named("allkeys-random")
	for _, c := range []struct {
		policy     *Policy
		other, own Coldness
		want       bool
	}{
		{lru, Of(100), Of(10), true},
		{lru, Of(10), Of(100), false},
		{lru, Of(12), Of(10), false}, // within the margin
		{lru, Of(13), Of(10), true},
		{lru, Of(0), 0, true}, // nothing of its own
		{lru, 0, Of(0), false},
		{lru, 0, 0, false},
		{random, Of(0), Of(0), false},
		{random, Of(0), 0, true},
		{lru, Of(math.MaxUint64), Of(1), true},
	} {
		if got := c.policy.Colder(c.other, c.own); got != c.want {
			t.Errorf("%s: Colder(%d, %d) = %v", c.policy.Name, c.other, c.own, got)
		}
	}
}
