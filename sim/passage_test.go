package sim

import (
	"bytes"
	"slices"
	"testing"
)

// What is sent is told of when it is, and again when it has arrived; a cut holds it in
// between. Whether anybody watches changes nothing.
func TestWatch(t *testing.T) {
	var seen []Passage
	trace := func(watch func(Passage)) uint64 {
		w := New(1, Mix{MinDelay: 1000})
		server := newEcho(t, w.Machine(), tcp())
		w.Watch(watch)
		p := w.DialFrom("10.1.1.1:5", echoAddress)
		run := func() {
			if err := w.RunFor(1e9, server); err != nil {
				t.Fatal(err)
			}
		}
		run()
		mend := w.Cut(func(r Route) bool { return r.From == "10.1.1.1" })
		p.Send([]byte("hello"))
		run()
		mend()
		run()
		if got := p.Receive(); string(got) != "hello" {
			t.Fatalf("%q came back", got)
		}
		p.Reset()
		w.DialFrom("10.1.1.1:6", "127.0.0.1:1")
		run()
		return w.Trace()
	}
	if trace(func(p Passage) { seen = append(seen, p) }) != trace(nil) {
		t.Error("the trace of a world that is watched is another")
	}
	sent := slices.IndexFunc(seen, func(p Passage) bool { return p.What == Sent })
	arrived := slices.IndexFunc(seen, func(p Passage) bool { return p.What == Arrived })
	if sent < 0 || arrived < sent {
		t.Fatalf("told: %+v", seen)
	}
	a, b := seen[sent], seen[arrived]
	if a.Number != b.Number || !bytes.Equal(a.Text, []byte("hello")) || !bytes.Equal(b.Text, a.Text) || !a.Held || b.At < a.At+1e9 || a.Route != b.Route {
		t.Errorf("sent %+v, arrived %+v", a, b)
	}
	for _, what := range []Passing{Connected, Refused, Broken} {
		if !slices.ContainsFunc(seen, func(p Passage) bool { return p.What == what }) {
			t.Errorf("%d was not told of: %+v", what, seen)
		}
	}
}
