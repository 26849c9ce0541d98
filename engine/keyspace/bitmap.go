package keyspace

import "math/bits"

func (b *bitmap) set(first, n int) {
	for i := first; i < first+n; i++ {
		b[i>>6] |= 1 << (i & 63)
	}
}

func (b *bitmap) clear(first, n int) {
	for i := first; i < first+n; i++ {
		b[i>>6] &^= 1 << (i & 63)
	}
}

// count tells how many of n bits are set.
func (b *bitmap) count(first, n int) int {
	sum := 0
	for end := first + n; first < end; {
		width := min(end-first, 64-first&63)
		sum += bits.OnesCount64(b[first>>6] >> (first & 63) << (64 - width))
		first += width
	}
	return sum
}

// next finds the first bit at or after i, below size, that equals want (0 or
// ^0 for clear or set); size when there is none.
func (b *bitmap) next(i, size int, want uint64) int {
	for i < size {
		if w := (b[i>>6] ^ ^want) >> (i & 63); w != 0 {
			return min(i+bits.TrailingZeros64(w), size)
		}
		i = (i | 63) + 1
	}
	return size
}

// run finds the first run of n clear bits; there is one.
func (b *bitmap) run(size, n int) int {
	for i := 0; ; {
		first := b.next(i, size, 0)
		i = b.next(first, size, ^uint64(0))
		if i-first >= n {
			return first
		}
	}
}

// longest is the length of the longest run of clear bits.
func (b *bitmap) longest(size int) int {
	most := 0
	for i := 0; i < size; {
		first := b.next(i, size, 0)
		i = b.next(first, size, ^uint64(0))
		most = max(most, i-first)
	}
	return most
}

// firstRun finds the first run of set bits that covers whole units; its length
// is 0 when there is none.
func (b *bitmap) firstRun(size, unit int) (first, n int) {
	for i := 0; i < size; {
		set := b.next(i, size, ^uint64(0))
		i = b.next(set, size, 0)
		first = roundUp(set, unit)
		if n = i/unit*unit - first; n > 0 {
			return first, n
		}
	}
	return 0, 0
}
