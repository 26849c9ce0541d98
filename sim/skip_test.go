package sim

import (
	"testing"

	"github.com/elares/ironcache/sim/env"
)

// A program that was told of an event and then sleeps is waited for: its poller's
// wait, which is over, does not hold time up.
func TestSkipPassesWaitsOfPollers(t *testing.T) {
	w := New(1, Mix{})
	p, err := w.Machine().Doors().Network.Poller()
	if err != nil {
		t.Fatal(err)
	}
	p.Wake()
	if _, err := p.Wait(make([]env.Event, 1), -1); err != nil {
		t.Fatal(err)
	}
	w.At(1e6, func() {})
	w.At(2e6, func() {})
	for _, want := range []int64{1e6, 2e6} {
		if !w.Skip() || w.Now() != want {
			t.Fatalf("time is %d, want %d", w.Now(), want)
		}
		w.Settle()
	}
	if w.Skip() {
		t.Error("nothing is planned")
	}
}
