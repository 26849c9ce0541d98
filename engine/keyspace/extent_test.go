package keyspace

import (
	"bytes"
	"strings"
	"testing"
)

func TestExtentGrowsWithSlack(t *testing.T) {
	b := newBench(t, Options{})
	s, k := b.Space(0), b.key("k")
	e := s.PutString(k, []byte("start"), KindRaw, 77, 5)
	maps := 0
	for n := 5; n < 4<<20; n += 1000 {
		was := len(b.memory.regions)
		var value []byte
		e, value = s.Resize(k, e, n+1000)
		copy(value[n:], bytes.Repeat([]byte{'x'}, 1000))
		maps += max(0, len(b.memory.regions)-was)
	}
	if e.Expiry() != 77 || e.Clock() != 5 || e.Kind() != KindExtent {
		t.Errorf("expiry %d, clock %d, kind %d", e.Expiry(), e.Clock(), e.Kind())
	}
	if maps > 80 {
		t.Errorf("%d regions were mapped while one value grew", maps)
	}
	want := "start" + strings.Repeat("x", e.Len()-5)
	if text(e) != want {
		t.Error("the value is not what was written")
	}
	b.settle()
	b.Check()
}

func TestExtentIsZeroWhereItGrows(t *testing.T) {
	for _, size := range []int{30_000, 3 << 20} {
		b := newBench(t, Options{})
		s, k := b.Space(0), b.key("k")
		e := s.PutString(k, bytes.Repeat([]byte{'x'}, size), KindRaw, 0, 0)
		e, _ = s.Resize(k, e, size/2+1)
		e, value := s.Resize(k, e, size*3)
		if n := bytes.IndexByte(value[size/2+1:], 'x'); n >= 0 {
			t.Errorf("byte %d of the growth is not zero", n)
		}
		if bytes.Count(value, []byte{'x'}) != size/2+1 {
			t.Error("what was kept has changed")
		}
		s.Remove(k, e)
		b.settle()
		b.Check()
	}
}

func TestHeadroomLeavesTheValueInPlace(t *testing.T) {
	b := newBench(t, Options{Headroom: 64 << 20})
	s, k := b.Space(0), b.key("k")
	e, _ := s.Resize(k, s.PutString(k, nil, KindRaw, 0, 0), 1<<20)
	e, first := s.Resize(k, e, 2<<20)
	live := b.Live()
	_, second := s.Resize(k, e, 60<<20)
	if &first[0] != &second[0] {
		t.Error("the value was moved")
	}
	if grown := b.Live() - live; grown != 58<<20 {
		t.Errorf("the growth by 58 MB counts %d bytes", grown)
	}
	if _, tooMuch := s.Resize(k, e, MaxValue+1); tooMuch != nil {
		t.Error("a value may be too large")
	}
}

func TestRefusedMemoryChangesNothing(t *testing.T) {
	b := newBench(t, Options{})
	s, k := b.Space(0), b.key("k")
	e := s.PutString(k, []byte("value"), KindRaw, 0, 0)
	b.memory.refuse = 512 << 10
	huge := make([]byte, 5<<20)
	if s.PutString(k, huge, KindRaw, 0, 0).Ok() || s.PutString(b.key(string(huge)), nil, KindRaw, 0, 0).Ok() {
		t.Error("there was memory")
	}
	if _, value := s.Resize(k, e, 5<<20); value != nil {
		t.Error("there was memory")
	}
	if text(s.Find(k)) != "value" || s.Len() != 1 {
		t.Error("something has changed")
	}
	b.Check()
}

func TestMoveBetweenStores(t *testing.T) {
	a := newBench(t, Options{})
	b := newBench(t, Options{Hash: a.hash})
	b.memory = a.memory
	b.mem = a.memory
	for _, size := range []int{0, 100, MaxInline + 1, 3 << 20} {
		k, k2, value := a.key("from"), a.key("to"), strings.Repeat("v", size)
		e := a.Space(0).PutString(k, []byte(value), KindRaw, 55, 9)
		b.Space(1).PutString(k2, []byte("replaced"), KindRaw, 0, 0)
		e = Move(a.Space(0), k, e, b.Space(1), k2)
		if text(e) != value || text(b.Space(1).Find(k2)) != value || e.Expiry() != 55 || e.Clock() != 9 {
			t.Errorf("%d bytes did not arrive", size)
		}
		if a.Space(0).Len() != 0 || b.Space(1).Len() != 1 {
			t.Error("the key is in both stores, or in none")
		}
		a.Check()
		b.Check()
	}
	if a.extents.live != 0 {
		t.Errorf("the source still has %d bytes of extents", a.extents.live)
	}
}

// A large value that a walk has yet to report is renamed without a copy, and
// copied once when it changes in place.
func TestWalkSharesExtents(t *testing.T) {
	b := newBench(t, Options{})
	s, k, k2 := b.Space(0), b.key("k"), b.key("k2")
	e := s.PutString(k, bytes.Repeat([]byte{'a'}, 2<<20), KindRaw, 0, 0)
	w := b.StartWalk(WalkOptions{QueueBytes: 1 << 20})
	was := len(b.memory.regions)
	e = Move(s, k, e, s, k2)
	if len(b.memory.regions) != was {
		t.Error("renaming copied the value")
	}
	_, value := s.Resize(k2, e, 2<<20)
	value[0] = 'b'
	if !w.Full() {
		t.Error("the queue is not full")
	}
	seen := 0
	for more := true; more; {
		more = w.Step(10, func(_ int, e Entry) {
			seen++
			if string(e.Key()) != "k" || strings.Trim(text(e), "a") != "" || e.Len() != 2<<20 {
				t.Errorf("the walk reports %q with %d bytes", e.Key(), e.Len())
			}
		})
	}
	w.Close()
	if seen != 1 || w.Full() {
		t.Errorf("the walk reported %d entries", seen)
	}
	b.settle()
	b.Check()
}
