package keyspace

import (
	"math"
	"testing"
)

func TestDueFindsEverything(t *testing.T) {
	b := newBench(t, Options{})
	s := b.Space(0)
	const n = 5000
	for i := range n {
		s.PutInt(b.keyf("%d", i), int64(i), int64(1000+i), 0)
		s.PutInt(b.keyf("stays %d", i), 1, 0, 0)
	}
	found := 0
	for now := int64(0); s.Expires() > 0; now += 100 {
		found += s.Due(now, 1<<20, func(e Entry) bool {
			if e.Expiry() > now || now-e.Expiry() > 1100 {
				t.Errorf("%q was due at %d, is found at %d", e.Key(), e.Expiry(), now)
			}
			return true
		})
		if next := s.NextDue(); next <= now {
			t.Fatalf("at %d the next is due at %d", now, next)
		}
	}
	if found != n || s.Len() != n || b.NextDue() != math.MaxInt64 {
		t.Errorf("%d were due, %d are left, the next at %d", found, s.Len(), b.NextDue())
	}
	b.Check()
}

// A single key is found at once, and moves with its deadline.
func TestNextDue(t *testing.T) {
	b := newBench(t, Options{})
	s, k := b.Space(3), b.key("k")
	due := func(now int64) int { return s.Due(now, 100, func(Entry) bool { return true }) }
	e := s.PutInt(k, 1, 5000, 0)
	if b.NextDue() != 5000 || due(4999) != 0 {
		t.Errorf("due at %d", b.NextDue())
	}
	e = s.SetExpiry(k, e, 9000) // a later deadline is noticed by the sweep
	if due(5000) != 0 || s.NextDue() != 9000 {
		t.Errorf("due at %d", s.NextDue())
	}
	e = s.SetExpiry(k, e, 7000)
	if s.NextDue() != 7000 {
		t.Errorf("due at %d", s.NextDue())
	}
	if kept := s.Due(7000, 100, func(Entry) bool { return false }); kept != 0 || s.NextDue() <= 7000 {
		t.Errorf("removed %d that were to stay, next at %d", kept, s.NextDue())
	}
	e = s.SetExpiry(k, e, 0)
	if due(8000) != 0 || s.Expires() != 0 || e.Expiry() != 0 || b.NextDue() != math.MaxInt64 {
		t.Errorf("an entry without expiry is due at %d", b.NextDue())
	}
}

func TestAvgTTL(t *testing.T) {
	b := newBench(t, Options{})
	s := b.Space(0)
	if s.AvgTTL(0, b.rand) != 0 {
		t.Error("no keys have a TTL")
	}
	for i := range 1000 {
		s.PutInt(b.keyf("%d", i), 1, 5000, 0)
	}
	if ttl := s.AvgTTL(1000, b.rand); ttl != 4000 {
		t.Errorf("the average TTL is %d", ttl)
	}
}
