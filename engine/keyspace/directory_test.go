package keyspace

import "testing"

// The directory follows the shape of the keys: spread over all slots, in one
// slot, and first the one, then the other.
func TestDirectoryFollowsTheKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	const n = 150_000
	for name, forms := range map[string][2]string{
		"spread":         {"%d", "x%d"},
		"one slot":       {"{tag}%d", "{tag}x%d"},
		"dense, spread":  {"{tag}%d", "%d"},
		"few slots":      {"{a}%d", "{b}%d"},
		"one key a slot": {"{%d}", "{x%d}"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, Options{ChunkBytes: 2 << 20})
			s := b.Space(0)
			for i := range 2 * n {
				s.PutInt(b.keyf(forms[i/n], i), int64(i), 0, 0)
				if i == 600 || i%100_000 == 99_999 {
					b.Check()
				}
			}
			if cells := len(s.root) + s.nodes; s.leaves > 6*2*n/maxWords || cells > 1<<14+64 {
				t.Errorf("%d segments, a root of %d cells and %d nodes for %d keys", s.leaves, len(s.root), s.nodes, s.count)
			}
			b.Check()
			for i := range 2 * n {
				if e := s.Find(b.keyf(forms[i/n], i)); !e.Ok() {
					t.Fatalf("key %d is missing", i)
				}
				if i%1000 != 0 {
					s.Delete(b.keyf(forms[i/n], i))
				}
				if i%100_000 == 99_999 {
					b.Check()
				}
			}
			b.Check()
			if s.count != 2*n/1000 || s.leaves > 64 || len(s.root) > 1<<10 || s.nodes > 8 {
				t.Errorf("%d segments, a root of %d cells and %d nodes for %d keys", s.leaves, len(s.root), s.nodes, s.count)
			}
		})
	}
}

// The key that makes a segment split need not share what its entries share.
func TestSplitFarFromTheKeyThatCausesIt(t *testing.T) {
	deep(t)
	b := newBench(t, Options{})
	s := b.Space(0)
	for i := range maxWords {
		s.PutInt(b.keyf("{tag}%d", i), int64(i), 0, 0)
	}
	for i := range 100 {
		s.PutInt(b.keyf("%d", i), int64(i), 0, 0)
		b.Check()
	}
	for i := range maxWords {
		if n, _ := s.Find(b.keyf("{tag}%d", i)).Int(); n != int64(i) {
			t.Fatalf("key %d holds %d", i, n)
		}
	}
}
