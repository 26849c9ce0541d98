package netio

import "github.com/elares/ironcache/engine/resp"

// protocolSample is a type of reply that DEBUG PROTOCOL can show.
type protocolSample struct {
	name  string
	write func(*resp.Writer)
}

// protocolSamples has the types in the order in which the error about an
// unknown one lists them. The values are those of redis-server, for client
// libraries test against them.
var protocolSamples = []protocolSample{
	{"string", func(w *resp.Writer) { w.BulkString("Hello World") }},
	{"integer", func(w *resp.Writer) { w.Int(12345) }},
	{"double", func(w *resp.Writer) { w.Double(3.141) }},
	{"bignum", func(w *resp.Writer) { w.BigNumber("1234567999999999999999999999999999999") }},
	{"null", (*resp.Writer).Null},
	{"array", func(w *resp.Writer) { w.Array(3); countTo(w, 3) }},
	{"set", func(w *resp.Writer) { w.Set(3); countTo(w, 3) }},
	{"map", sampleMap},
	{"attrib", sampleAttribute},
	{"push", samplePush},
	{"verbatim", func(w *resp.Writer) { w.Verbatim("txt", "This is a verbatim\nstring") }},
	{"true", func(w *resp.Writer) { w.Bool(true) }},
	{"false", func(w *resp.Writer) { w.Bool(false) }},
}

// debugProtocol replies with a value of a type.
func debugProtocol(r *Request) {
	for _, sample := range protocolSamples {
		if is(r.At(2), sample.name) {
			sample.write(r.Reply)
			return
		}
	}
	r.Reply.Error(resp.ErrProtocolType)
}

func countTo(w *resp.Writer, n int64) {
	for i := range n {
		w.Int(i)
	}
}

func sampleMap(w *resp.Writer) {
	w.Map(3)
	for i := range int64(3) {
		w.Int(i)
		w.Bool(i == 1)
	}
}

// sampleAttribute has attributes where the protocol knows them.
func sampleAttribute(w *resp.Writer) {
	if w.Proto == 3 {
		w.Attribute(1)
		w.BulkString("key-popularity")
		w.Array(2)
		w.BulkString("key:123")
		w.Int(90)
	}
	w.BulkString("Some real reply following the attribute")
}

func samplePush(w *resp.Writer) {
	if w.Proto != 3 {
		w.Error(resp.ErrPushRESP2)
		return
	}
	w.Push(2)
	w.BulkString("server-cpu-usage")
	w.Int(42)
	w.BulkString("Some real reply following the push reply")
}
