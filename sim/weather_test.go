package sim

import (
	"bytes"
	"testing"
)

// What is sent into a cut arrives after it, whole and in order; what is not cut
// passes meanwhile.
func TestCutHoldsAndMendReleases(t *testing.T) {
	w := New(1, Mix{MaxDelay: 1e6})
	server := newEcho(t, w.Machine(), tcp())
	near, far := w.DialFrom("10.1.1.1:5", echoAddress), w.DialFrom("10.2.2.2:5", echoAddress)
	mend := w.Cut(func(r Route) bool { return r.From == "10.2.2.2" })
	near.Send(text(0))
	far.Send(text(1))
	if err := w.RunFor(1e9, server); err != nil {
		t.Fatal(err)
	}
	if got := near.Receive(); !bytes.Equal(got, text(0)) {
		t.Errorf("%d bytes passed beside the cut", len(got))
	}
	if got := far.Receive(); len(got) > 0 {
		t.Errorf("%d bytes passed the cut", len(got))
	}
	mend()
	if err := w.RunFor(1e9, server); err != nil {
		t.Fatal(err)
	}
	if got := far.Receive(); !bytes.Equal(got, text(1)) {
		t.Errorf("%d bytes arrived after the cut", len(got))
	}
}

// What was sent by someone who stands still until a later time does not arrive before then,
// however soon the cut ends that holds it.
func TestCutReleasesNothingThatIsStillToBeSent(t *testing.T) {
	w := New(1, Mix{})
	server := newEcho(t, w.Machine(), tcp())
	p := w.DialFrom("10.1.1.1:5", echoAddress)
	if err := w.RunFor(1e9, server); err != nil {
		t.Fatal(err)
	}
	mend := w.Cut(func(Route) bool { return true })
	w.now += 3e9
	p.Send(text(0)[:100])
	w.now -= 3e9
	mend()
	for _, want := range []int{0, 100} {
		if err := w.RunFor(2e9, server); err != nil {
			t.Fatal(err)
		}
		if got := p.Receive(); len(got) != want {
			t.Errorf("%d bytes came back by %d ns, want %d", len(got), w.Now(), want)
		}
	}
}

// A cut of one direction lets the other pass.
func TestCutOfOneDirection(t *testing.T) {
	w := New(1, Mix{})
	server := newEcho(t, w.Machine(), tcp())
	p := w.DialFrom("10.1.1.1:5", echoAddress)
	w.Cut(func(r Route) bool { return r == Route{"127.0.0.1", "10.1.1.1", "6379"} })
	p.Send(text(0)[:100])
	if err := w.RunFor(1e9, server); err != nil {
		t.Fatal(err)
	}
	if got := p.Receive(); len(got) > 0 || len(server.unsent) != 1 {
		t.Errorf("%d bytes came back; %d connections were accepted", len(got), len(server.unsent))
	}
}

func TestClockDrifts(t *testing.T) {
	w := New(1, Mix{Tick: 1})
	fast, slow := w.Machine().Clock, w.Machine().Clock
	fast.Drift(1000)
	slow.Drift(-1000)
	w.Advance(1e9)
	if a, b := fast.Monotonic(), slow.Monotonic(); a < 1_001_000_000 || a > 1_001_000_010 || b < 999_000_000 || b > 999_000_010 {
		t.Errorf("after a second they show %d and %d", a, b)
	}
	fast.Drift(0)
	if a, b := fast.Peek(), fast.Peek(); a != b {
		t.Errorf("time passes when nobody reads the clock: %d, then %d", a, b)
	}
	before := fast.Monotonic()
	w.Advance(1e9)
	if after := fast.Monotonic(); after-before < 1e9 || after-before > 1e9+10 {
		t.Errorf("a second takes %d", after-before)
	}
	slow.Drift(-1000)
	if span := slow.True(1e9); span < 1_001_001_000 || span > 1_001_001_010 {
		t.Errorf("a second of a slow clock takes %d", span)
	}
}

// What a lag is about takes longer, until it ends; the rest does not.
func TestLagSlows(t *testing.T) {
	w := New(1, Mix{})
	server := newEcho(t, w.Machine(), tcp())
	near, far := w.DialFrom("10.1.1.1:5", echoAddress), w.DialFrom("10.2.2.2:5", echoAddress)
	hasten := w.Slow(func(r Route) int64 {
		if r.From != "10.2.2.2" {
			return 0
		}
		return 3e8
	})
	near.Send(text(0)[:100])
	far.Send(text(1)[:100])
	if err := w.RunFor(2e8, server); err != nil {
		t.Fatal(err)
	}
	if got := near.Receive(); len(got) != 100 {
		t.Errorf("%d bytes came back from beside the lag", len(got))
	}
	if got := far.Receive(); len(got) > 0 {
		t.Errorf("%d bytes came back sooner than they could", len(got))
	}
	if err := w.RunFor(2e8, server); err != nil {
		t.Fatal(err)
	}
	if got := far.Receive(); len(got) != 100 {
		t.Errorf("%d bytes came back with a lag", len(got))
	}
	hasten()
	far.Send(text(1)[:100])
	if err := w.RunFor(1e8, server); err != nil {
		t.Fatal(err)
	}
	if got := far.Receive(); len(got) != 100 {
		t.Errorf("%d bytes came back after the lag", len(got))
	}
}

// Break resets the connections that it is told to, and no others.
func TestBreak(t *testing.T) {
	w := New(1, Mix{})
	server := newEcho(t, w.Machine(), tcp())
	near, far := w.DialFrom("10.1.1.1:5", echoAddress), w.DialFrom("10.2.2.2:5", echoAddress)
	if err := w.RunFor(1e8, server); err != nil {
		t.Fatal(err)
	}
	if n := w.Break(func(r Route) bool { return r.From == "10.2.2.2" }); n != 1 {
		t.Errorf("%d connections broke", n)
	}
	if err := w.RunFor(1e8, server); err != nil {
		t.Fatal(err)
	}
	if near.Err() != nil || far.Err() == nil {
		t.Errorf("errors %v beside the break, and %v", near.Err(), far.Err())
	}
}
