package keyspace

import (
	"fmt"
	"testing"
)

// While segments split and merge under a scan and a walk, the walk reports
// every key once, the scan those that stay.
func TestScanAndWalkWhileShapeChanges(t *testing.T) {
	for _, form := range []string{"key %d", "{tag} %d", "{%d}"} {
		t.Run(form, func(t *testing.T) {
			b := newBench(t, Options{})
			s, seen, walked := b.Space(0), map[string]int{}, map[string]int{}
			for i := range 6000 {
				s.PutInt(b.keyf(form, i), int64(i), 0, 0)
			}
			w := b.StartWalk(WalkOptions{QueueBytes: 1 << 30})
			cursor, more, next, top := uint64(0), true, 0, 6000
			for step := 0; cursor != 0 || step == 0 || more; step++ {
				if cursor != 0 || step == 0 {
					cursor = s.Scan(cursor, 1+step%3, func(e Entry) { seen[string(e.Key())]++ })
				}
				if more {
					more = w.Step(1+step%3, func(_ int, e Entry) { walked[string(e.Key())]++ })
				}
				for range 8 { // first shrink to an eighth, then grow
					if next < 6000 && next%8 != 0 {
						s.Delete(b.keyf(form, next))
					} else if next >= 6000 && next < 16000 {
						s.PutInt(b.keyf(form, top), 1, 0, 0)
						top++
					}
					next++
				}
				if step%500 == 0 {
					b.Check()
				}
			}
			for i := range 6000 {
				if n := walked[fmt.Sprintf(form, i)]; n != 1 {
					t.Errorf("the walk reported key %d %d times", i, n)
				}
				if n := seen[fmt.Sprintf(form, i)]; i%8 == 0 && n != 1 {
					t.Errorf("the scan reported key %d %d times", i, n)
				}
			}
			if len(walked) != 6000 {
				t.Errorf("the walk reported %d keys", len(walked))
			}
		})
	}
}

func TestScanCursors(t *testing.T) {
	b := newBench(t, Options{})
	s := b.Space(0)
	for _, cursor := range []uint64{0, 1, maxCursor - 1, maxCursor, 1 << 63, ^uint64(0)} {
		if next := s.Scan(cursor, 10, func(Entry) {}); next != 0 {
			t.Errorf("scan of nothing from %d gives %d", cursor, next)
		}
	}
	k := b.key("k")
	s.PutInt(k, 1, 0, 0)
	for cursor, want := range map[uint64]int{0: 1, k.Place >> cursorShift: 1, k.Place>>cursorShift + 1: 0} {
		got := 0
		s.Scan(cursor, 1, func(Entry) { got++ })
		if got != want {
			t.Errorf("scan from %d reports %d keys, want %d", cursor, got, want)
		}
	}
}

func TestSlots(t *testing.T) {
	for _, counts := range []bool{false, true} {
		b := newBench(t, Options{SlotCounts: counts})
		s := b.Space(0)
		for i := range 3000 {
			s.PutInt(b.keyf("{%d}%d", i%10, i), 1, 0, 0)
		}
		for i := range 10 {
			slot := b.keyf("{%d}", i).Slot()
			if n := s.SlotLen(slot); n != 300 {
				t.Errorf("slot %d holds %d keys", slot, n)
			}
			n := 0
			s.SlotKeys(slot, 50, func(e Entry) {
				n++
				if k := b.key(string(e.Key())); k.Slot() != slot {
					t.Errorf("%q is not of slot %d", k.Bytes, slot)
				}
			})
			if n != 50 {
				t.Errorf("SlotKeys gives %d keys", n)
			}
		}
		if s.SlotLen(1) != 0 {
			t.Error("an empty slot has keys")
		}
	}
}

func TestRandomIsFair(t *testing.T) {
	b := newBench(t, Options{})
	s := b.Space(0)
	const n, draws = 2000, 400_000
	for i := range n { // half of them in one slot
		form := "{tag}%d"
		if i%2 == 0 {
			form = "%d"
		}
		s.PutInt(b.keyf(form, i), int64(i), 0, 0)
	}
	counts := make([]int, n)
	for range draws {
		i, _ := s.Random(b.rand).Int()
		counts[i]++
	}
	sum := 0.0
	for _, c := range counts {
		d := float64(c) - draws/n
		sum += d * d / (draws / n)
	}
	if sum > n+5*90 { // chi-squared, standard deviation sqrt(2n) = 63
		t.Errorf("chi-squared is %.0f over %d keys", sum, n)
	}
}

func TestSampleVolatile(t *testing.T) {
	b := newBench(t, Options{})
	s := b.Space(0)
	for i := range 5000 {
		s.PutInt(b.keyf("%d", i), 1, 0, 0)
	}
	s.PutInt(b.key("volatile"), 1, 99, 0)
	found := 0
	s.Sample(b.rand, 5, true, func(e Entry) {
		found++
		if string(e.Key()) != "volatile" {
			t.Errorf("%q does not expire", e.Key())
		}
	})
	if found == 0 {
		t.Error("the only key that expires was not found")
	}
}
