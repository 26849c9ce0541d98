package keyspace

import "testing"

// What a command worked out is neither counted nor seen by the next.
func TestScratchIsZeroAndGoesBack(t *testing.T) {
	for _, spare := range []int{0, 8 * megabyte} {
		b := newBench(t, Options{Spare: spare})
		live, regions := b.Live(), len(b.memory.regions)
		for _, n := range []int{1, 1000, 100_000, 500_000, 300_000, 500_001} {
			words, scratch, err := b.Scratch(n)
			if err != nil || len(words) != n {
				t.Fatalf("%d words, %v", len(words), err)
			}
			for i := range words {
				if words[i] != 0 {
					t.Fatalf("word %d of %d is %d", i, n, words[i])
				}
				words[i] = 1
			}
			scratch.Close()
			if b.Live() != live {
				t.Errorf("%d bytes are counted", b.Live()-live)
			}
		}
		b.DropSpares()
		b.settle()
		if b.Check(); len(b.memory.regions) != regions {
			t.Errorf("%d regions are left", len(b.memory.regions)-regions)
		}
	}
	b := newBench(t, Options{})
	b.memory.refuse = megabyte
	if _, _, err := b.Scratch(megabyte); err == nil {
		t.Error("there was memory")
	}
}
