package sim

import (
	"testing"

	"github.com/elares/ironcache/sim/env"
)

// sleeper waits for its timer, and counts.
type sleeper struct {
	clock  env.Clock
	poller env.Poller
	next   int64
	rings  int
}

func (s *sleeper) Step(bool) bool {
	s.poller.Wait(make([]env.Event, 1), max(0, s.next-s.clock.Monotonic()))
	if s.clock.Monotonic() >= s.next {
		s.rings++
		s.next += 1_000_000_000
	}
	return s.rings < 10
}

func TestTimeMovesToTheNextTimer(t *testing.T) {
	w := New(1, Mix{})
	doors := w.Machine().Doors()
	poller, _ := doors.Network.Poller()
	s := &sleeper{clock: doors.Clock, poller: poller, next: 1_000_000_000}
	if err := w.Run(func() bool { return s.rings == 10 }, s); err != nil {
		t.Fatal(err)
	}
	if w.Now() < 10_000_000_000 || w.Now() > 10_001_000_000 {
		t.Errorf("it is %d", w.Now())
	}
}

func TestParkWaitsForWakeAlone(t *testing.T) {
	w := New(1, Mix{})
	p, _ := w.Machine().Doors().Network.Poller()
	listener, _ := p.Listen(tcp())
	w.Dial(echoAddress)
	w.Advance(1)
	p.Park(-1, true)
	if w.busy() {
		t.Error("a connection ended a Park")
	}
	p.Wake()
	if !w.busy() {
		t.Error("Wake did not end a Park")
	}
	p.Park(1000, true)
	if !w.busy() {
		t.Error("a Wake before a Park did not end it")
	}
	p.Park(1000, true)
	if next, any := w.Next(); !any || next != w.Now()+1000 || w.busy() {
		t.Errorf("next is %d at %d", next, w.Now())
	}
	if n, _ := p.Wait(make([]env.Event, 1), -1); n != 1 || !w.busy() {
		t.Error("the connection waits no more")
	}
	p.Close(listener)
}

func TestClocks(t *testing.T) {
	w := New(1, Mix{})
	a, b := w.Machine().Clock, w.Machine().Clock
	b.Offset = 5_000_000_000
	if ahead := b.Wall() - a.Wall(); ahead < 4_999_999_000 || ahead > 5_000_001_000 {
		t.Errorf("ahead by %d", ahead)
	}
	before := a.Monotonic()
	w.Advance(1_000_000)
	if passed := a.Monotonic() - before; passed < 1_000_000 || passed > 1_001_000 {
		t.Errorf("%d passed", passed)
	}
	if a.Wall() < Epoch {
		t.Error("the world began before its epoch")
	}
}

func TestRand(t *testing.T) {
	draws := func(seed uint64) [4]uint64 {
		r := NewRand(seed)
		child := r.Fork()
		return [4]uint64{r.Uint64(), child.Uint64(), r.Uint64(), child.Uint64()}
	}
	if draws(1) != draws(1) || draws(1) == draws(2) {
		t.Error("the seed does not decide")
	}
	d := draws(1)
	if d[0] == d[1] || d[2] == d[3] {
		t.Error("a fork is the same stream")
	}
}

func TestMemory(t *testing.T) {
	m := New(1, Mix{}).Machine().Memory
	m.Limit = 3 * pageSize
	a, err := m.Map(2 * pageSize)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Map(2 * pageSize); err != ErrNoMemory {
		t.Errorf("beyond the limit: %v", err)
	}
	a[0], a[pageSize] = 1, 1
	m.Discard(a[pageSize:])
	if a[0] != 1 || a[pageSize] != 0 || m.Resident() != 2*pageSize {
		t.Error("Discard")
	}
	m.Unmap(a)
	if a[0] == 1 || m.Resident() != 0 {
		t.Error("Unmap")
	}
	defer func() {
		if recover() == nil {
			t.Error("a part was unmapped")
		}
	}()
	b, _ := m.Map(2 * pageSize)
	m.Unmap(b[:pageSize])
}
