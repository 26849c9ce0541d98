package resp

import (
	"bytes"
	"testing"
)

// pipeline is n requests of the shape that benchmark programs send.
func pipeline(n int, request string) []byte { return bytes.Repeat([]byte(request), n) }

const (
	getRequest = "*2\r\n$3\r\nGET\r\n$16\r\nkey:000000123456\r\n"
	setRequest = "*3\r\n$3\r\nSET\r\n$16\r\nkey:000000123456\r\n$64\r\n" +
		"0123456789012345678901234567890123456789012345678901234567890123\r\n"
)

func benchmarkParse(b *testing.B, n int, request string) {
	buf := pipeline(n, request)
	var p Parser
	var batch Batch
	limits := DefaultLimits()
	b.ReportAllocs()
	for i := 0; i < b.N; i += n {
		batch.Reset()
		if err := p.Parse(buf, &batch, &limits); err != nil || len(batch.Requests) != n {
			b.Fatal("pipeline was not parsed")
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, shape := range []struct {
		name, request string
		n             int
	}{
		{"get/pipeline=1", getRequest, 1},
		{"get/pipeline=16", getRequest, 16},
		{"get/pipeline=64", getRequest, 64},
		{"set/pipeline=64", setRequest, 64},
		{"inline/pipeline=64", "GET key:000000123456\r\n", 64},
	} {
		b.Run(shape.name, func(b *testing.B) { benchmarkParse(b, shape.n, shape.request) })
	}
}

func BenchmarkWriter(b *testing.B) {
	w := Writer{Buf: make([]byte, 0, 1<<16), Proto: 2}
	value := bytes.Repeat([]byte("v"), 64)
	for _, reply := range []struct {
		name  string
		write func()
	}{
		{"ok", func() { w.OK() }},
		{"int/small", func() { w.Int(17) }},
		{"int/large", func() { w.Int(1234567890123) }},
		{"bulk/64", func() { w.Bulk(value) }},
		{"null", func() { w.Null() }},
	} {
		b.Run(reply.name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				if w.Len() > 1<<15 {
					w.Reset()
				}
				reply.write()
			}
		})
	}
}

func BenchmarkParseInt(b *testing.B) {
	text := []byte("1234567")
	for i := 0; i < b.N; i++ {
		if n, ok := ParseInt(text); !ok || n != 1234567 {
			b.Fatal(n)
		}
	}
}

func BenchmarkIncrByFloat(b *testing.B) {
	var out [64]byte
	x, y := []byte("10.5"), []byte("0.1")
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		u, _ := ParseLongDouble(x)
		v, _ := ParseLongDouble(y)
		AppendLongDouble(out[:0], u.Add(v))
	}
}
