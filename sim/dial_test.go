package sim

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/elares/ironcache/sim/env"
)

// caller is a machine that dials, sends a text, and collects what comes back.
type caller struct {
	t      *testing.T
	poller env.Poller
	conn   env.Conn
	unsent []byte
	got    []byte
	err    error
}

func newCaller(t *testing.T, m *Machine, to string, text []byte) *caller {
	p, err := m.Doors().Network.Poller()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := p.Dial(to)
	if err != nil {
		t.Fatal(err)
	}
	return &caller{t: t, poller: p, conn: conn, unsent: text}
}

func (c *caller) Step(bool) bool {
	var events [4]env.Event
	n, _ := c.poller.Wait(events[:], -1)
	for _, e := range events[:n] {
		if e.Writable {
			c.write()
		}
		if e.Readable && !c.read() {
			return false
		}
	}
	return true
}

func (c *caller) write() {
	n, err := c.poller.Write(c.conn, c.unsent)
	if err == nil {
		c.unsent = c.unsent[n:]
	}
	c.poller.WantWrite(c.conn, len(c.unsent) > 0)
}

func (c *caller) read() bool {
	var b [1000]byte
	n, err := c.poller.Read(c.conn, b[:])
	c.got = append(c.got, b[:n]...)
	if err == env.ErrAgain {
		return true
	}
	c.err = err
	return err == nil
}

// A machine dials another through an unkind network: what it sends comes back
// whole and in order.
func TestMachinesDialEachOther(t *testing.T) {
	for seed := range uint64(30) {
		if seed == 5 && testing.Short() {
			break
		}
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			mix := DrawMix(seed)
			mix.Reset = 0
			w := New(seed, mix)
			server := newEcho(t, w.Machine(), tcp())
			c := newCaller(t, w.Machine(), echoAddress, text(3))
			if err := w.Run(func() bool { return len(c.got) == len(text(3)) || c.err != nil }, server, c); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(c.got, text(3)) || c.err != nil {
				t.Errorf("%d bytes, then %v", len(c.got), c.err)
			}
		})
	}
}

func TestMachineDialsNobody(t *testing.T) {
	w := New(1, Mix{MaxDelay: 1000})
	c := newCaller(t, w.Machine(), echoAddress, text(0))
	if err := w.Run(func() bool { return c.err != nil }, c); err != nil {
		t.Fatal(err)
	}
	if c.err != env.ErrRefused {
		t.Errorf("the error is %v", c.err)
	}
}

// A crash of either machine shows to the other as a reset.
func TestCrashResetsTheFarEnd(t *testing.T) {
	for _, which := range []int{0, 1} {
		w := New(1, Mix{})
		machines := []*Machine{w.Machine(), w.Machine()}
		server := newEcho(t, machines[0], tcp())
		c := newCaller(t, machines[1], echoAddress, text(0))
		if err := w.Run(func() bool { return len(c.got) == len(text(0)) }, server, c); err != nil {
			t.Fatal(err)
		}
		machines[which].Crash()
		survivor := []Actor{c, server}[which]
		if err := w.Run(func() bool { return server.resets > 0 || c.err == env.ErrReset }, survivor); err != nil {
			t.Errorf("crash of machine %d: %v", which, err)
		}
	}
}
