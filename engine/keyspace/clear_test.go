package keyspace

import "testing"

func TestClearFreesEverything(t *testing.T) {
	b := newBench(t, Options{SlotCounts: true})
	for db := range 4 {
		s := b.Space(db)
		for i := range 5000 {
			s.PutString(b.keyf("%d", i), make([]byte, i%100), KindRaw, int64(i%2), 0)
		}
		s.PutString(b.key("huge"), make([]byte, 9<<20), KindRaw, 0, 0)
		s.Clear()
		if s.Len() != 0 || s.Expires() != 0 || s.Find(b.key("1")).Ok() || s.SlotLen(b.key("1").Slot()) != 0 {
			t.Error("a cleared space is not empty")
		}
		s.PutInt(b.key("fresh"), 1, 0, 0)
	}
	steps := 0
	for b.Work(100) {
		steps++
		b.Check()
	}
	if steps < 50 {
		t.Errorf("all was freed in %d steps", steps)
	}
	if b.memory.largest > releasePiece {
		t.Errorf("%d bytes went back to the system in one call", b.memory.largest)
	}
	if st := b.Stats(); st.Extents != 0 || st.Keys != 4 || len(b.cleared) != 0 {
		t.Errorf("left: %+v", st)
	}
}

func TestClearingAgainAndAgain(t *testing.T) {
	b := newBench(t, Options{})
	for range 66000 { // more often than there are ids of spaces
		b.Space(0).PutInt(b.key("k"), 1, 0, 0)
		b.Space(0).Clear()
	}
	b.settle()
	b.Check()
	if len(b.byID) > 100 {
		t.Errorf("%d ids are in use", len(b.byID))
	}
}

func TestWalksAreLimited(t *testing.T) {
	b := newBench(t, Options{})
	b.Space(0).PutInt(b.key("k"), 1, 0, 0)
	var walks []*Walk
	for range maxWalks {
		walks = append(walks, b.StartWalk(WalkOptions{}))
	}
	if b.StartWalk(WalkOptions{}) != nil {
		t.Error("one walk too many")
	}
	walks[2].Close()
	if b.StartWalk(WalkOptions{}) != nil {
		t.Error("the marks of a closed walk are not gone yet")
	}
	b.settle()
	if b.StartWalk(WalkOptions{}) == nil {
		t.Error("a closed walk still counts")
	}
}
