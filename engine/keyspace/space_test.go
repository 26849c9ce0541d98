package keyspace

import (
	"fmt"
	"strings"
	"testing"
)

func text(e Entry) string {
	var scratch [24]byte
	if !e.Ok() {
		return "(none)"
	}
	return string(e.Value(&scratch))
}

func TestPutFindDelete(t *testing.T) {
	deep(t)
	b := newBench(t, Options{})
	s := b.Space(0)
	const n = 20000
	for i := range n {
		s.PutString(b.keyf("key:%d", i), fmt.Appendf(nil, "value %d", i), KindRaw, 0, 0)
	}
	b.Check()
	for i := range n {
		if got, want := text(s.Find(b.keyf("key:%d", i))), fmt.Sprintf("value %d", i); got != want {
			t.Fatalf("key %d holds %q, want %q", i, got, want)
		}
	}
	if s.Find(b.key("key")).Ok() || s.Len() != n {
		t.Errorf("found a missing key, or Len() = %d", s.Len())
	}
	for i := range n {
		if !s.Delete(b.keyf("key:%d", i)) {
			t.Fatalf("key %d is missing", i)
		}
	}
	b.Check()
	if s.Len() != 0 || s.agenda.n != 0 || b.spanLive != 0 {
		t.Errorf("%d keys, %d tables, %d bytes are left", s.Len(), s.agenda.n, b.spanLive)
	}
}

func TestKinds(t *testing.T) {
	b := newBench(t, Options{})
	s, k := b.Space(0), b.key("k")
	huge := strings.Repeat("0123456789", 300_000)
	for _, step := range []struct {
		put  func() Entry
		kind Kind
		want string
	}{
		{func() Entry { return s.PutString(k, []byte("short"), KindEmbstr, 0, 7) }, KindEmbstr, "short"},
		{func() Entry { return s.PutInt(k, -1234567890123456789, 55, 7) }, KindInt, "-1234567890123456789"},
		{func() Entry { return s.PutString(k, []byte(huge[:MaxInline]), KindRaw, 0, 7) }, KindRaw, huge[:MaxInline]},
		{func() Entry { return s.PutString(k, []byte(huge[:MaxInline+1]), KindRaw, 0, 7) }, KindExtent, huge[:MaxInline+1]},
		{func() Entry { return s.PutString(k, []byte(huge), KindRaw, 99, 7) }, KindExtent, huge},
		{func() Entry { return s.PutString(k, nil, KindRaw, 0, 7) }, KindRaw, ""},
	} {
		step.put()
		e := s.Find(k)
		if e.Kind() != step.kind || text(e) != step.want || e.Len() != len(step.want) || e.Clock() != 7 {
			t.Errorf("kind %d, %d bytes, clock %d; want kind %d, %d bytes", e.Kind(), e.Len(), e.Clock(), step.kind, len(step.want))
		}
		b.Check()
	}
	s.Delete(k)
	b.Check()
	if b.extents.live != 0 || b.spanLive != 0 {
		t.Errorf("%d bytes of extents and %d of blocks are left", b.extents.live, b.spanLive)
	}
}

func TestLongKeys(t *testing.T) {
	deep(t)
	b := newBench(t, Options{})
	s := b.Space(0)
	for _, n := range []int{0, 1, maxKey - 1, maxKey, maxKey + 1, 20000, 700_000} {
		k := b.key(strings.Repeat("k", n))
		s.PutString(k, []byte("v"), KindRaw, 0, 0)
		e := s.SetExpiry(k, s.Find(k), 12345)
		if string(e.Key()) != string(k.Bytes) || e.Expiry() != 12345 || text(s.Find(k)) != "v" {
			t.Errorf("a key of %d bytes came back with %d bytes", n, len(e.Key()))
		}
		b.Check()
	}
	for _, n := range []int{0, 1, maxKey - 1, maxKey, maxKey + 1, 20000, 700_000} {
		if !s.Delete(b.key(strings.Repeat("k", n))) {
			t.Errorf("a key of %d bytes is missing", n)
		}
	}
	b.Check()
	if b.extents.live != 0 {
		t.Errorf("%d bytes of extents are left", b.extents.live)
	}
}
