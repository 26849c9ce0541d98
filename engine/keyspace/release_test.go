package keyspace

import "testing"

// Of a region with much room only what was written is given back piece by piece.
func TestReleaseDiscardsWhatWasWritten(t *testing.T) {
	b := newBench(t, Options{Headroom: 64 * megabyte})
	s, k := b.Space(0), b.key("k")
	e, _ := s.Resize(k, b.large("k", 100), 5*megabyte)
	s.Remove(k, e)
	b.settle()
	if b.memory.gone > 5*megabyte || b.memory.largest > releasePiece {
		t.Errorf("%d bytes were discarded, at most %d at once", b.memory.gone, b.memory.largest)
	}
	if b.Check(); b.waiting != 0 || b.memory.bytes > 2*megabyte {
		t.Errorf("%d bytes wait, %d are mapped", b.waiting, b.memory.bytes)
	}
}

// Where nobody finds the time to return memory, those who take more do.
func TestWhatIsFreedDoesNotPileUp(t *testing.T) {
	for name, take := range map[string]func(b *bench){
		"values": func(b *bench) { b.large("a", 3*megabyte) },
		"growth": func(b *bench) {
			e, _ := b.Space(0).Resize(b.key("a"), b.large("a", 100), 3*megabyte)
			b.Space(0).Remove(b.key("a"), e)
		},
		"regions": func(b *bench) {
			region, _, _ := b.Region(3*megabyte, 3*megabyte)
			b.Soil(len(region))
			b.GiveBack(region, len(region))
		},
		"pages": func(b *bench) {
			for i := range 40 {
				b.Space(0).PutString(b.keyf("k%d", i), make([]byte, 10_000), KindRaw, 0, 0)
			}
			for i := range 40 {
				b.Space(0).Delete(b.keyf("k%d", i))
			}
		},
	} {
		b := newBench(t, Options{Release: func(Release) bool { return false }})
		for range 200 {
			take(b)
			if b.memory.bytes > 30*megabyte || b.waiting > mostWaiting+3*megabyte {
				t.Fatalf("%s: %d bytes wait, %d are mapped", name, b.waiting, b.memory.bytes)
			}
		}
		b.settle()
		if b.Check(); b.waiting != 0 {
			t.Errorf("%s: %d bytes wait when nothing does", name, b.waiting)
		}
	}
}

// What waits is passed on when somebody has time for it.
func TestWaitingMemoryIsPassedOn(t *testing.T) {
	var taken []Release
	takes := false
	b := newBench(t, Options{Release: func(r Release) bool {
		if takes {
			taken = append(taken, r)
		}
		return takes
	}})
	regions := len(b.memory.regions)
	for range 3 {
		b.large("a", megabyte)
		b.Space(0).Delete(b.key("a"))
	}
	if b.PassOn(); b.waiting < 3*megabyte {
		t.Errorf("%d bytes wait", b.waiting)
	}
	takes = true
	if b.PassOn(); b.waiting != 0 || len(taken) != 3 {
		t.Errorf("%d bytes wait, %d releases were passed on", b.waiting, len(taken))
	}
	for _, r := range taken {
		r.Run(b.memory)
		b.Released(r)
	}
	if b.Check(); len(b.memory.regions) != regions {
		t.Errorf("%d regions are left", len(b.memory.regions)-regions)
	}
}
