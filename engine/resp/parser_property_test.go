package resp

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// pieces are put together to streams that are often nearly right.
var pieces = []string{
	"*", "*1\r\n", "*2\r\n", "*0\r\n", "*-1\r\n", "*12\r\n", "$", "$4\r\n", "$0\r\n\r\n", "$4\r\nECHO\r\n", "$3\r\nabc\r\n",
	"$120\r\n" + strings.Repeat("z", 120) + "\r\n", "$10\r\n0123456789\r\n", ping, ping + ping, getRequest, setRequest,
	"*2\r\n$4\r\nECHO\r\n$3\r\nabc\r\n", "\r\n", "\r", "\n", "1", "20", "-", "x", " ", "\t", "\v", "\x00", "echo ", "PING\r\n",
	`"`, `'`, `\`, `\x41`, `\x4`, `\n`, `"a b" `, `'c\'d' `,
}

func drawStream(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "pieces"), "")
}

// However a stream is split, its requests are the same.
func TestAnySplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stream := drawStream(t)
		whole, parts := newReader(), newReader()
		parts.limits.Requests = rapid.IntRange(0, 3).Draw(t, "requests")
		whole.feed(stream)
		for rest := stream; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "read")
			parts.feed(rest[:n])
			rest = rest[n:]
		}
		same(t, whole, parts)
	})
}

// fataler is what testing and rapid have in common.
type fataler interface{ Fatalf(string, ...any) }

func same(t fataler, a, b *reader) {
	if !slices.Equal(a.got, b.got) || a.broken != b.broken {
		t.Fatalf("whole: %q, %q\nsplit: %q, %q", a.got, a.broken, b.got, b.broken)
	}
}

// Requests that are written down are read back.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		requests := rapid.SliceOfN(rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 1200), 1, 12), 0, 5).Draw(t, "requests")
		w := Writer{Proto: 2}
		for _, request := range requests {
			w.Array(len(request))
			for _, arg := range request {
				w.Bulk(arg)
			}
		}
		var p Parser
		var b Batch
		limits := DefaultLimits()
		if err := p.Parse(w.Bytes(), &b, &limits); err != nil || b.Pos != w.Len() || len(b.Requests) != len(requests) {
			t.Fatalf("%d of %d requests, %d of %d bytes, error %v", len(b.Requests), len(requests), b.Pos, w.Len(), err)
		}
		for i, request := range b.Requests {
			for j, span := range b.Args(request) {
				if !slices.Equal(span.In(w.Bytes()), requests[i][j]) {
					t.Fatalf("argument %d of request %d differs", j, i)
				}
			}
		}
	})
}

// FuzzParse feeds a stream whole and byte by byte.
func FuzzParse(f *testing.F) {
	for _, c := range append(streams, inlineStreams...) {
		if len(c.stream) < 1000 {
			f.Add(c.stream)
		}
	}
	f.Fuzz(func(t *testing.T, stream string) {
		if len(stream) > 1<<12 {
			t.Skip()
		}
		whole, parts := newReader(), newReader()
		whole.feed(stream)
		for i := range len(stream) {
			parts.feed(stream[i : i+1])
		}
		same(t, whole, parts)
	})
}
