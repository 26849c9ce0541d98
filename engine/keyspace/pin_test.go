package keyspace

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// A pin reads what was there when it was made, whatever is written, cut off,
// added or deleted meanwhile.
func TestPinReadsWhatWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := newBench(t, Options{})
		s, k := b.Space(0), b.key("k")
		least := b.maxRun + 1
		size := rapid.IntRange(least, 5*least).Draw(t, "size")
		e := s.PutString(k, bytes.Repeat([]byte{'a'}, size), KindRaw, 0, 0)
		e, value := s.Resize(k, e, size)
		scribble(value)
		p, q := newReader(t, e), newReader(t, e)
		t.Repeat(map[string]func(*rapid.T){
			"read one":     p.read,
			"read another": q.read,
			"write": func(t *rapid.T) {
				e := s.Find(k)
				if !e.Ok() {
					return
				}
				n := max(e.Len(), rapid.IntRange(0, 7*least).Draw(t, "n"))
				first := rapid.IntRange(0, n).Draw(t, "first")
				end := min(n, first+rapid.IntRange(0, least/2).Draw(t, "long"))
				_, value := s.Edit(k, e, n, first, end)
				scribble(value[first:end])
			},
			"cut": func(t *rapid.T) {
				if e := s.Find(k); e.Ok() && e.Len() > least {
					s.Resize(k, e, rapid.IntRange(least, e.Len()).Draw(t, "n"))
				}
			},
			"replace": func(t *rapid.T) { s.PutString(k, []byte("short"), KindRaw, 0, 0) },
			"delete":  func(*rapid.T) { s.Delete(k) },
			"":        func(*rapid.T) { b.Check() },
		})
		p.finish(t)
		q.finish(t)
		s.Clear()
		b.settle()
		b.Check()
		if b.Stats().Extents != 0 || len(b.pins) != 0 {
			t.Fatal("something of the value is left")
		}
	})
}

var scribbles byte

func scribble(b []byte) {
	scribbles++
	for i := range b {
		b[i] = scribbles + byte(i>>8)
	}
}

// reader is a pin with what it has to read.
type reader struct {
	*Pin
	want []byte
}

func newReader(t *rapid.T, e Entry) *reader {
	first := rapid.IntRange(0, e.Len()).Draw(t, "first")
	end := rapid.IntRange(first, e.Len()).Draw(t, "end")
	return &reader{e.Pin(first, end), bytes.Clone(e.Value(nil)[first:end])}
}

func (r *reader) read(t *rapid.T) {
	got := make([]byte, rapid.IntRange(1, 50<<10).Draw(t, "n"))
	n := r.Read(got)
	if n != min(len(got), len(r.want)) || !bytes.Equal(got[:n], r.want[:n]) || r.Left() != len(r.want)-n {
		t.Fatalf("%d bytes are read, %d are left", n, r.Left())
	}
	r.want = r.want[n:]
}

func (r *reader) finish(t *rapid.T) {
	for r.Left() > 0 {
		r.read(t)
	}
	r.Close()
}

func TestPinKeepsOnlyWhatChanges(t *testing.T) {
	b := newBench(t, Options{Headroom: 64 << 20})
	s, k := b.Space(0), b.key("k")
	e := s.PutString(k, bytes.Repeat([]byte{'a'}, 1<<20), KindRaw, 0, 0)
	e, _ = s.Resize(k, e, 2<<20) // with headroom from here on
	p := e.Pin(0, e.Len())
	live := b.Live()
	e, _ = s.Edit(k, e, 3<<20, 2<<20, 3<<20)
	if b.Live() != live+1<<20 {
		t.Errorf("to append 1 MB takes %d bytes", b.Live()-live)
	}
	live = b.Live()
	s.Edit(k, e, 3<<20, 5000, 5001)
	s.Edit(k, e, 3<<20, 6000, 6001)
	if b.Live() != live+keptUnit {
		t.Errorf("to change two bytes of a page keeps %d bytes", b.Live()-live)
	}
	p.Close()
	if b.Live() != live {
		t.Error("copies outlive their pin")
	}
	b.Check()
}

func TestShortStringsAreNotPinned(t *testing.T) {
	b := newBench(t, Options{})
	for _, n := range []int{0, 100, MaxInline, b.maxRun} {
		if e := b.Space(0).PutString(b.key("k"), make([]byte, n), KindRaw, 0, 0); e.Pin(0, n) != nil {
			t.Errorf("%d bytes are pinned", n)
		}
	}
}
