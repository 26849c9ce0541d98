package keyspace

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/elares/ironcache/slots"
)

func TestPlace(t *testing.T) {
	h := NewHash(&stream{1})
	for _, key := range []string{"", "a", "{a}b", "user:1000"} {
		if place := h.Place([]byte(key)); place>>slotShift != uint64(slots.Of([]byte(key))) {
			t.Errorf("%q is in slot %d of the Place", key, place>>slotShift)
		}
	}
}

// Keys of all lengths, also such as differ in one byte only, have hashes of
// which every bit is as good as drawn.
func TestHashMixes(t *testing.T) {
	h := NewHash(&stream{2})
	for _, n := range []int{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100} {
		key := []byte(strings.Repeat("k", n))
		flips, trials := [64]int{}, 0
		for at := range n {
			for bit := range 8 {
				was := h.sum(key)
				key[at] ^= 1 << bit
				for diff := was ^ h.sum(key); diff != 0; diff &= diff - 1 {
					flips[bits.TrailingZeros64(diff)]++
				}
				trials++
			}
		}
		if n < 8 {
			continue // too few trials
		}
		for bit, f := range flips {
			if f*4 < trials || f*4 > trials*3 {
				t.Errorf("keys of %d bytes: bit %d flips %d times of %d", n, bit, f, trials)
			}
		}
	}
}

func TestHashDependsOnLengthAndSeed(t *testing.T) {
	h, other := NewHash(&stream{3}), NewHash(&stream{4})
	seen := map[uint64]string{}
	for n := range 200 {
		for _, key := range []string{strings.Repeat("\x00", n), strings.Repeat("ab", n)} {
			if n == 0 && key == "" && len(seen) > 0 {
				continue
			}
			if twin, ok := seen[h.sum([]byte(key))]; ok {
				t.Errorf("%q and %q have the same hash", key, twin)
			}
			seen[h.sum([]byte(key))] = key
			if h.sum([]byte(key)) == other.sum([]byte(key)) {
				t.Errorf("%q has the same hash under two seeds", key)
			}
		}
	}
}

// Consecutive numbers, the usual keys, spread over buckets as drawn ones do.
func TestHashSpreads(t *testing.T) {
	h := NewHash(&stream{5})
	const buckets, n = 1 << 12, 1 << 18
	for _, shift := range []int{52, 26, 14} {
		var counts [buckets]int
		for i := range n {
			counts[h.sum(fmt.Appendf(nil, "key:%012d", i))>>shift&(buckets-1)]++
		}
		sum := 0.0
		for _, c := range counts {
			d := float64(c - n/buckets)
			sum += d * d / (n / buckets)
		}
		if sum > buckets+6*91 { // chi-squared, standard deviation sqrt(2*buckets)
			t.Errorf("bits from %d on: chi-squared is %.0f", shift, sum)
		}
	}
}
