package resp

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var replies = []struct {
	name         string
	write        func(w *Writer)
	resp2, resp3 string
}{
	{"ok", func(w *Writer) { w.OK() }, "+OK\r\n", "+OK\r\n"},
	{"queued", func(w *Writer) { w.Queued() }, "+QUEUED\r\n", "+QUEUED\r\n"},
	{"pong", func(w *Writer) { w.Pong() }, "+PONG\r\n", "+PONG\r\n"},
	{"simple", func(w *Writer) { w.Simple("none") }, "+none\r\n", "+none\r\n"},
	{"simple with breaks", func(w *Writer) { w.Simple("a\r\nb") }, "+a  b\r\n", "+a  b\r\n"},
	{"error", func(w *Writer) { w.Error(ErrSyntax) }, "-ERR syntax error\r\n", "-ERR syntax error\r\n"},
	{"fail", func(w *Writer) { w.Fail(fmt.Errorf("disk: %w", ErrNoAuth)) }, "-" + string(ErrNoAuth) + "\r\n", "-" + string(ErrNoAuth) + "\r\n"},
	{"fail otherwise", func(w *Writer) { w.Fail(fmt.Errorf("disk\nfull")) }, "-ERR disk full\r\n", "-ERR disk full\r\n"},
	{"int", func(w *Writer) { w.Int(7) }, ":7\r\n", ":7\r\n"},
	{"int 1023", func(w *Writer) { w.Int(1023) }, ":1023\r\n", ":1023\r\n"},
	{"int 1024", func(w *Writer) { w.Int(1024) }, ":1024\r\n", ":1024\r\n"},
	{"least int", func(w *Writer) { w.Int(math.MinInt64) }, ":-9223372036854775808\r\n", ":-9223372036854775808\r\n"},
	{"bulk", func(w *Writer) { w.Bulk([]byte("a\r\nb")) }, "$4\r\na\r\nb\r\n", "$4\r\na\r\nb\r\n"},
	{"empty bulk", func(w *Writer) { w.Bulk(nil) }, "$0\r\n\r\n", "$0\r\n\r\n"},
	{"string", func(w *Writer) { w.BulkString("hello") }, "$5\r\nhello\r\n", "$5\r\nhello\r\n"},
	{"bulk int", func(w *Writer) { w.BulkInt(-12) }, "$3\r\n-12\r\n", "$3\r\n-12\r\n"},
	{"null", func(w *Writer) { w.Null() }, "$-1\r\n", "_\r\n"},
	{"null array", func(w *Writer) { w.NullArray() }, "*-1\r\n", "_\r\n"},
	{"array", func(w *Writer) { w.Array(3) }, "*3\r\n", "*3\r\n"},
	{"map", func(w *Writer) { w.Map(600) }, "*1200\r\n", "%600\r\n"},
	{"set", func(w *Writer) { w.Set(2) }, "*2\r\n", "~2\r\n"},
	{"push", func(w *Writer) { w.Push(2) }, "*2\r\n", ">2\r\n"},
	{"true", func(w *Writer) { w.Bool(true) }, ":1\r\n", "#t\r\n"},
	{"false", func(w *Writer) { w.Bool(false) }, ":0\r\n", "#f\r\n"},
	{"double", func(w *Writer) { w.Double(1.1) }, "$18\r\n1.1000000000000001\r\n", ",1.1000000000000001\r\n"},
	{"infinity", func(w *Writer) { w.Double(math.Inf(-1)) }, "$4\r\n-inf\r\n", ",-inf\r\n"},
	{"big number", func(w *Writer) { w.BigNumber("12345678901234567890") }, "$20\r\n12345678901234567890\r\n", "(12345678901234567890\r\n"},
	{"verbatim", func(w *Writer) { w.Verbatim("txt", "hi") }, "$2\r\nhi\r\n", "=6\r\ntxt:hi\r\n"},
	{"raw", func(w *Writer) { w.Raw([]byte("+x\r\n")) }, "+x\r\n", "+x\r\n"},
	{"array ended", func(w *Writer) { at := w.Mark(); w.OK(); w.OK(); w.EndArray(at, 2) }, "*2\r\n+OK\r\n+OK\r\n", "*2\r\n+OK\r\n+OK\r\n"},
	{"empty array ended", func(w *Writer) { w.EndArray(w.Mark(), 0) }, "*0\r\n", "*0\r\n"},
	{"map ended", func(w *Writer) { at := w.Mark(); w.OK(); w.OK(); w.EndMap(at, 1) }, "*2\r\n+OK\r\n+OK\r\n", "%1\r\n+OK\r\n+OK\r\n"},
	{"set ended", func(w *Writer) { at := w.Mark(); w.OK(); w.EndSet(at, 1) }, "*1\r\n+OK\r\n", "~1\r\n+OK\r\n"},
}

func TestReplies(t *testing.T) {
	for _, reply := range replies {
		t.Run(reply.name, func(t *testing.T) {
			for proto, want := range map[uint8]string{2: reply.resp2, 3: reply.resp3} {
				for _, room := range []int{0, 4096} {
					w := Writer{Buf: append(make([]byte, 0, room), "+before\r\n"...), Proto: proto}
					reply.write(&w)
					if got := string(w.Buf); got != "+before\r\n"+want {
						t.Errorf("RESP%d: got %q, want %q", proto, got, want)
					}
				}
			}
		})
	}
}

func TestAttribute(t *testing.T) {
	w := Writer{Proto: 3}
	w.Attribute(1)
	if string(w.Buf) != "|1\r\n" {
		t.Errorf("got %q", w.Buf)
	}
	defer func() {
		if recover() == nil {
			t.Error("RESP2 has no attributes")
		}
	}()
	w.Proto = 2
	w.Attribute(1)
}

func TestTruncate(t *testing.T) {
	w := Writer{Proto: 2}
	w.OK()
	size := w.Len()
	w.Array(2)
	w.Int(1)
	w.Truncate(size)
	w.Error(ErrNoSuchKey)
	if got := string(w.Buf); got != "+OK\r\n-ERR no such key\r\n" {
		t.Errorf("got %q", got)
	}
	if w.Reset(); w.Len() != 0 {
		t.Error("not empty after Reset")
	}
}

// Heads and bulks of every size are spelt as fmt spells them, whatever room the
// buffer has.
func TestHeads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "number")
		size := rapid.IntRange(0, 1100).Draw(t, "size")
		w := Writer{Buf: make([]byte, 0, rapid.IntRange(0, 1200).Draw(t, "room")), Proto: 2}
		w.Int(n)
		w.Int(int64(size))
		w.Bulk(bytes.Repeat([]byte("x"), size))
		want := fmt.Sprintf(":%d\r\n:%d\r\n$%d\r\n%s\r\n", n, size, size, strings.Repeat("x", size))
		if string(w.Buf) != want {
			t.Fatalf("got %q, want %q", w.Buf, want)
		}
	})
}

func TestRepliesAllocateNothing(t *testing.T) {
	w := Writer{Buf: make([]byte, 0, 1<<14), Proto: 3}
	value := bytes.Repeat([]byte("v"), 2000)
	allocs := testing.AllocsPerRun(100, func() {
		w.Reset()
		w.OK()
		w.Int(-5)
		w.Int(5)
		w.Bulk(value[:64])
		w.Bulk(value)
		w.BulkInt(123456)
		w.BulkString("text")
		w.Null()
		w.Map(70000)
		w.Bool(true)
		w.Double(0.1)
		w.Verbatim("txt", "text")
		w.Error(ErrWrongType)
		w.Fail(ErrWrongType)
		at := w.Mark()
		w.Int(1)
		w.EndArray(at, 1)
	})
	if allocs != 0 {
		t.Errorf("%v allocations a run", allocs)
	}
}
