package keyspace

import "testing"

func TestHotPathDoesNotAllocate(t *testing.T) {
	b := newBench(t, Options{})
	s, name, value := b.Space(0), []byte("some:key:of:16.."), make([]byte, 64)
	for i := range 2000 {
		s.PutInt(b.keyf("%d", i), 1, 0, 0)
	}
	s.PutString(b.hash.Key(name), value, KindRaw, 0, 0)
	var scratch [24]byte
	for what, f := range map[string]func(){
		"find": func() {
			e := s.Find(b.hash.Key(name))
			e.SetClock(e.Clock() + 1)
			_ = e.Value(&scratch)
		},
		"overwrite": func() { s.PutString(b.hash.Key(name), value, KindRaw, 0, 0) },
		"counter": func() {
			k := b.hash.Key(name[:3])
			e := s.Find(k)
			n := int64(0)
			if e.Ok() {
				n, _ = e.Int()
			}
			s.AssignInt(k, e, n+1, 0, 0)
		},
		"expire": func() {
			k := b.hash.Key(name)
			s.SetExpiry(k, s.SetExpiry(k, s.Find(k), 1000), 0)
		},
		"delete and put": func() {
			k := b.hash.Key(name)
			s.Delete(k)
			s.PutString(k, value, KindRaw, 5, 0)
		},
		"resize": func() {
			k := b.hash.Key(name)
			e, _ := s.Resize(k, s.Find(k), 100)
			s.Resize(k, e, 64)
		},
		"ahead": func() {
			s.AskTable(1 << 60)
			s.AskEntry(1 << 60)
		},
		"over":   func() { _ = b.Over() && b.Room(0) },
		"due":    func() { s.Due(1, 100, func(Entry) bool { return true }) },
		"random": func() { s.Random(b.rand) },
		"sample": func() { s.Sample(b.rand, 5, false, func(Entry) {}) },
		"scan":   func() { s.Scan(0, 10, func(Entry) {}) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %.0f times", what, n)
		}
	}
}
