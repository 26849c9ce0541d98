package keyspace

import (
	"fmt"
	"testing"
)

// sparse fills a store and deletes nine keys of ten.
func sparse(t *testing.T, opts Options) *bench {
	b := newBench(t, opts)
	for db := range 2 {
		for i := range 30000 {
			b.Space(db).PutString(b.keyf("%d", i), make([]byte, 20+i%40), KindRaw, int64(i%3), 0)
		}
	}
	for db := range 2 {
		for i := range 30000 {
			if i%10 != 7 {
				b.Space(db).Delete(b.keyf("%d", i))
			}
		}
	}
	b.Work(1 << 30)
	return b
}

func (b *bench) compactAll() {
	for b.Compact(500) {
		b.settle()
	}
	b.settle()
}

// Compaction gives memory back. Without it this test fails.
func TestCompactReturnsMemory(t *testing.T) {
	b := sparse(t, Options{})
	before, mapped := b.Stats(), b.memory.bytes
	b.compactAll()
	after := b.Stats()
	if after.Fragmentation() > 0.15 {
		t.Errorf("fragmentation is %.2f after compaction, was %.2f", after.Fragmentation(), before.Fragmentation())
	}
	if b.memory.bytes*2 > mapped {
		t.Errorf("%d bytes are mapped, were %d", b.memory.bytes, mapped)
	}
	b.Check()
	for db := range 2 {
		for i := 7; i < 30000; i += 10 {
			if e := b.Space(db).Find(b.keyf("%d", i)); e.Len() != 20+i%40 || e.Expiry() != int64(i%3) {
				t.Fatalf("key %d is not what it was", i)
			}
		}
	}
}

func TestCompactCanBeTurnedOff(t *testing.T) {
	b := sparse(t, Options{Fragmentation: 100})
	before := b.Stats()
	b.compactAll()
	if after := b.Stats(); after != before || after.Fragmentation() < 0.5 {
		t.Errorf("memory was %+v and is %+v", before, after)
	}
}

// Compaction moves tables, nodes and entries of cleared spaces too, and leaves
// pre-images where they are.
func TestCompactDuringWalkAndClear(t *testing.T) {
	deep(t)
	b := newBench(t, Options{})
	s := b.Space(0)
	for i := range 20000 {
		s.PutString(b.keyf("{tag}%d", i), []byte("value"), KindRaw, 0, 0)
	}
	w := b.StartWalk(WalkOptions{QueueBytes: 1 << 30})
	for i := range 20000 {
		if i%20 != 0 {
			s.Delete(b.keyf("{tag}%d", i))
		}
	}
	s.Clear()
	for i := range 3000 {
		s.PutInt(b.keyf("{tag}%d", i), 1, 0, 0)
	}
	seen := map[string]bool{}
	for more := true; more; {
		for range 3 {
			b.Compact(1000)
		}
		b.Check()
		more = w.Step(700, func(_ int, e Entry) {
			if seen[string(e.Key())] || text(e) != "value" {
				t.Fatalf("the walk reports %q as %q", e.Key(), text(e))
			}
			seen[string(e.Key())] = true
		})
	}
	w.Close()
	b.settle()
	b.compactAll()
	b.Check()
	if len(seen) != 20000 || s.Len() != 3000 {
		t.Errorf("the walk reported %d keys, %d are left", len(seen), s.Len())
	}
}

func TestReleaseHook(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	var waiting []Release
	b := sparse(t, Options{Release: func(r Release) bool { waiting = append(waiting, r); return true }})
	for range 1000 {
		b.Compact(500)
		for i := 0; i < 100; i++ { // keep the pages busy while releases wait
			b.Space(0).PutString(b.keyf("new%d", i), fmt.Append(nil, i), KindRaw, 0, 0)
		}
		if len(waiting) > 5 {
			waiting[0].Run(b.memory)
			b.Released(waiting[0])
			waiting = waiting[1:]
		}
		b.Check()
	}
	if len(waiting) == 0 || b.memory.largest > releasePiece {
		t.Errorf("%d releases wait, the largest call was for %d bytes", len(waiting), b.memory.largest)
	}
}
