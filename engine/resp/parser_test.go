package resp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// reader plays a connection: it hands a parser its bytes in pieces and drops
// what was consumed, as a loop does.
type reader struct {
	parser Parser
	batch  Batch
	limits Limits
	buf    []byte
	got    []string // requests, quoted
	broken string   // text of the protocol error
}

func newReader() *reader { return &reader{limits: DefaultLimits()} }

// feed parses one more piece of the stream.
func (r *reader) feed(piece string) {
	r.buf = append(r.buf, piece...)
	for r.broken == "" {
		r.batch.Reset()
		if err := r.parser.Parse(r.buf, &r.batch, &r.limits); err != nil {
			r.broken = err.Text
		}
		for _, request := range r.batch.Requests {
			r.got = append(r.got, r.show(request))
		}
		r.buf = slices.Delete(r.buf, 0, r.batch.Pos)
		if r.limits.Requests == 0 || len(r.batch.Requests) < r.limits.Requests {
			return
		}
	}
}

func (r *reader) show(request Request) string {
	words := []string{}
	for _, span := range r.batch.Args(request) {
		words = append(words, fmt.Sprintf("%q", span.In(r.buf)))
	}
	return strings.Join(words, " ")
}

const ping = "*1\r\n$4\r\nPING\r\n"

// What redis-server 7.0.15 does with each stream.
var streams = []struct {
	name, stream string
	want         []string
	broken       string
}{
	{"array", "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", []string{`"GET" "k"`}, ""},
	{"two arrays", ping + ping, []string{`"PING"`, `"PING"`}, ""},
	{"empty argument", "*2\r\n$3\r\nGET\r\n$0\r\n\r\n", []string{`"GET" ""`}, ""},
	{"empty name", "*1\r\n$0\r\n\r\n", []string{`""`}, ""},
	{"line ends in argument", "*1\r\n$4\r\n\r\n\r\n\r\n", []string{`"\r\n\r\n"`}, ""},
	{"argument of 12 and of 123 bytes", "*2\r\n$12\r\n" + strings.Repeat("a", 12) + "\r\n$123\r\n" + strings.Repeat("b", 123) + "\r\n",
		[]string{`"` + strings.Repeat("a", 12) + `" "` + strings.Repeat("b", 123) + `"`}, ""},
	{"twelve arguments", "*12\r\n" + strings.Repeat("$1\r\nx\r\n", 12), []string{strings.Repeat(`"x" `, 11) + `"x"`}, ""},
	{"no arguments", "*0\r\n" + ping, []string{`"PING"`}, ""},
	{"negative count", "*-1\r\n*-99\r\n" + ping, []string{`"PING"`}, ""},
	{"any byte ends a line after CR", "*1\rX$4\rYPINGZZ" + ping, []string{`"PING"`, `"PING"`}, ""},
	{"any two bytes follow an argument", "*1\r\n$4\r\nPINGxy" + ping, []string{`"PING"`, `"PING"`}, ""},
	{"unfinished", "*1\r\nx", nil, ""},
	{"largest count", "*2147483647\r\n", nil, ""},
	{"count too large", "*2147483648\r\n", nil, "invalid multibulk length"},
	{"count is no number", "*abc\r\n", nil, "invalid multibulk length"},
	{"count missing", "*\r\n", nil, "invalid multibulk length"},
	{"count with plus", "*+1\r\n", nil, "invalid multibulk length"},
	{"count with space", "* 1\r\n", nil, "invalid multibulk length"},
	{"count with leading zero", "*01\r\n", nil, "invalid multibulk length"},
	{"count without CR", "*1\n$4\r\nPING\r\n", nil, "invalid multibulk length"},
	{"fault after a request", ping + "*x\r\n", []string{`"PING"`}, "invalid multibulk length"},
	{"wrong type", "*1\r\n+4\r\nPING\r\n", nil, "expected '$', got '+'"},
	{"array in array", "*1\r\n" + ping, nil, "expected '$', got '*'"},
	{"length missing", "*1\r\n\r\n", nil, "expected '$', got '\r'"},
	{"length of nothing", "*1\r\n$\r\n", nil, "invalid bulk length"},
	{"negative length", "*1\r\n$-1\r\n", nil, "invalid bulk length"},
	{"largest length", "*1\r\n$536870912\r\n", nil, ""},
	{"length too large", "*1\r\n$536870913\r\n", nil, "invalid bulk length"},
	{"count line too long", "*" + strings.Repeat("1", MaxInline+1), nil, "too big mbulk count string"},
	{"length line too long", "*1\r\n$" + strings.Repeat("1", MaxInline+1), nil, "too big bulk count string"},
}

func TestStreams(t *testing.T) {
	for _, c := range append(streams, inlineStreams...) {
		t.Run(c.name, func(t *testing.T) {
			r := newReader()
			r.feed(c.stream)
			r.expect(t, c.want, c.broken)
			slow := newReader()
			for i := range len(c.stream) {
				slow.feed(c.stream[i : i+1])
			}
			slow.expect(t, c.want, c.broken)
		})
	}
}

func (r *reader) expect(t *testing.T, want []string, broken string) {
	t.Helper()
	if !slices.Equal(r.got, want) || r.broken != broken {
		t.Errorf("got %q and error %q, want %q and %q", r.got, r.broken, want, broken)
	}
}

func TestGuests(t *testing.T) {
	for _, c := range []struct{ stream, broken string }{
		{"*10\r\n", ""},
		{"*11\r\n", "unauthenticated multibulk length"},
		{"*2147483648\r\n", "invalid multibulk length"},
		{"*x\r\n", "invalid multibulk length"},
		{"*1\r\n$16384\r\n", ""},
		{"*1\r\n$16385\r\n", "unauthenticated bulk length"},
	} {
		r := &reader{limits: GuestLimits()}
		r.feed(c.stream)
		r.expect(t, nil, c.broken)
	}
}

func TestGuestGetsOneRequest(t *testing.T) {
	var p Parser
	var b Batch
	limits := GuestLimits()
	stream := []byte(ping + ping + "PING\r\nPING\r\n*11\r\n")
	for want := 1; want <= 4; want++ {
		if err := p.Parse(stream, &b, &limits); err != nil || len(b.Requests) != want {
			t.Fatalf("got %d requests and error %v, want %d", len(b.Requests), err, want)
		}
	}
	if err := p.Parse(stream, &b, &limits); err != errGuestCount {
		t.Fatalf("got %v after the last request", err)
	}
}

func TestNeed(t *testing.T) {
	var p Parser
	var b Batch
	limits := DefaultLimits()
	stream := []byte("*2\r\n$3\r\nGET\r\n$100000\r\nabc")
	for _, step := range []struct{ size, need int }{{3, 0}, {8, 5}, {10, 3}, {13, 0}, {22, 100002}, {25, 99999}} {
		if err := p.Parse(stream[:step.size], &b, &limits); err != nil || b.Need != step.need {
			t.Errorf("after %d bytes %d are needed (error %v), want %d", step.size, b.Need, err, step.need)
		}
	}
	if p.Idle() {
		t.Error("the parser forgot the request")
	}
}

// An unfinished request is never looked at again from its start.
func TestProgress(t *testing.T) {
	r := newReader()
	const argc = 100_000
	r.feed(fmt.Sprintf("*%d\r\n", argc))
	for i := range argc {
		r.feed("$1\r\nx\r")
		if got, want := r.parser.at, len(r.buf)-2; got != want {
			t.Fatalf("argument %d: at %d of %d bytes", i, got, want)
		}
		r.feed("\n")
	}
	if len(r.got) != 1 || cap(r.parser.partial) > keptSpans || !r.parser.Idle() {
		t.Errorf("%d requests, room for %d spans kept", len(r.got), cap(r.parser.partial))
	}
}

func TestBatchForgetsManyArguments(t *testing.T) {
	var p Parser
	var b Batch
	limits := DefaultLimits()
	stream := "*100000\r\n" + strings.Repeat("$1\r\na\r\n", 100_000)
	if err := p.Parse([]byte(stream), &b, &limits); err != nil || len(b.Spans) != 100_000 {
		t.Fatal(len(b.Spans), err)
	}
	if b.Reset(); cap(b.Spans) > mostKept {
		t.Errorf("room is kept for %d arguments", cap(b.Spans))
	}
}

func TestParseAllocatesNothing(t *testing.T) {
	stream := pipeline(16, getRequest+setRequest+"GET k\r\n")
	var p Parser
	var b Batch
	limits := DefaultLimits()
	allocs := testing.AllocsPerRun(100, func() {
		b.Reset()
		for _, part := range []int{100, len(stream)} {
			if err := p.Parse(stream[:part], &b, &limits); err != nil {
				t.Fatal(err)
			}
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations a run", allocs)
	}
}
