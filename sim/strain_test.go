package sim

import (
	"bytes"
	"testing"
)

// What is pinched arrives whole, a few bytes at a time.
func TestPinch(t *testing.T) {
	w := New(1, Mix{})
	server := newEcho(t, w.Machine(), tcp())
	p := w.DialFrom("10.1.1.1:5", echoAddress)
	acts := 0
	relieve := w.Strain(Strain{Pinches: func(r Route) bool { acts++; return r.From == "10.1.1.1" }})
	p.Send(text(0)[:200])
	if err := w.RunFor(1e8, server); err != nil {
		t.Fatal(err)
	}
	if got := p.Receive(); !bytes.Equal(got, text(0)[:200]) || acts < 200/mostPinched {
		t.Errorf("%d bytes came back after %d acts", len(got), acts)
	}
	relieve()
	before := acts
	p.Send(text(1)[:200])
	if err := w.RunFor(1e8, server); err != nil {
		t.Fatal(err)
	}
	if got := p.Receive(); len(got) != 200 || acts != before {
		t.Errorf("%d bytes came back; the strain went on %d times", len(got), acts-before)
	}
}

// A connection that is torn delivers a part of what was sent last, and breaks; the
// writer learns of it later.
func TestTear(t *testing.T) {
	parts := map[int]bool{}
	for seed := range uint64(20) {
		w := New(seed, Mix{MaxDelay: 1e6})
		server := newEcho(t, w.Machine(), tcp())
		p := w.DialFrom("10.1.1.1:5", echoAddress)
		if err := w.RunFor(1e8, server); err != nil {
			t.Fatal(err)
		}
		arrived := 0
		w.Tell(func(line string) {
			if bytes.Contains([]byte(line), []byte(" arrive ")) {
				arrived++
			}
		})
		w.Strain(Strain{Tears: func(Route) bool { return true }})
		p.Send(text(0)[:100])
		if p.Unsent() > 0 {
			t.Errorf("%d bytes were not taken", p.Unsent())
		}
		if err := w.RunFor(1e8, server); err != nil {
			t.Fatal(err)
		}
		if p.Err() == nil || arrived == 0 || server.resets == 0 {
			t.Errorf("seed %d: error %v, %d segments arrived, %d resets", seed, p.Err(), arrived, server.resets)
		}
		parts[len(p.Receive())] = true
	}
	if parts[100] {
		t.Error("all of what was torn came back")
	}
}

// A peer that is deaf reads nothing, until it is relieved.
func TestDeaf(t *testing.T) {
	w := New(1, Mix{Window: 100})
	server := newEcho(t, w.Machine(), tcp())
	p := w.DialFrom("10.1.1.1:5", echoAddress)
	asked := 0
	relieve := w.Strain(Strain{Deafens: func(r Route) bool { asked++; return r.To == "10.1.1.1" }})
	p.Send(text(0)[:400])
	if err := w.RunFor(1e8, server); err != nil {
		t.Fatal(err)
	}
	if got := p.Receive(); len(got) > 0 || asked == 0 {
		t.Errorf("%d bytes were read", len(got))
	}
	relieve()
	if err := w.RunFor(1e8, server); err != nil {
		t.Fatal(err)
	}
	if got := p.Receive(); !bytes.Equal(got, text(0)[:400]) {
		t.Errorf("%d bytes came back in the end", len(got))
	}
}
