package keyspace

import (
	"testing"
	"unsafe"
)

// The words that a search counts belong to the table, wherever a tag is at home.
func TestSeekStaysInItsTable(t *testing.T) {
	for step := seekStep; step <= maxStep; step++ {
		if z := sizes[step]; z.words < z.homes+3 {
			t.Errorf("step %d: %d words, %d homes", step, z.words, z.homes)
		}
	}
}

// seek gives what a search word by word gives, in tables of all sizes.
func TestSeekIsASearch(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 5, 10, 20, 40, 100, 300, 3000} {
		b := newBench(t, Options{})
		s := b.Space(0)
		for i := range n {
			s.PutInt(b.keyf("%d", i), 1, 0, 0)
		}
		for i := range 2*n + 10 {
			place := b.keyf("%d", i).Place
			c := s.leaf(place)
			tag := mix(window(place, depthOf(c)))
			at := s.home(c, tag)
			for *word(at) != 0 && *word(at)>>tagShift < tag {
				at = unsafe.Add(at, 8)
			}
			if got := s.seek(c, tag); got != word(at) {
				t.Fatalf("%d keys: key %d is sought at %p, want %p", n, i, got, at)
			}
		}
	}
}
