package netio

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// A connection that is closed while its long request is with another loop takes
// the charge for it along.
func TestChargesEndWithTheConnection(t *testing.T) {
	for _, order := range []string{"strict", "relaxed"} {
		place := newTownIn(t, sim.New(1, sim.Mix{}), 2, "pipeline-order="+order)
		killer, c := place.dial().at(0), place.dial().at(0)
		c.Send(fmt.Appendf(nil, "*3\r\n$3\r\nset\r\n$%d\r\n%s\r\n$300000\r\n%s", len(keyOn(1, 2, "k")), keyOn(1, 2, "k"), strings.Repeat("x", 300_000)))
		place.pass(20)
		if n := place.node.clientBytes(); n < 300_000 {
			t.Fatalf("%d bytes are charged", n)
		}
		c.Send([]byte("\r\nget a\r\nget b\r\n"))
		place.step(1, 0)
		if c.conn().batch == nil {
			t.Fatal("the request does not wait")
		}
		killer.line(words("client kill id", c.conn().client))
		killer.Close()
		place.pass(100)
		place.balanced(t)
	}
}

// A connection that was closed keeps no buffer, although its loop remembers it
// as the one that it served last.
func TestClosedConnectionHoldsNothing(t *testing.T) {
	place := newTown(t, 2, "client-output-buffer-limit=normal 100000 0 0")
	c := place.dial()
	l := c.settle()
	c.line("set big " + strings.Repeat("x", 50_000))
	c.Pause(true)
	c.pipeline("mget big big big big big big")
	place.until("the end of the client", func() bool { return l.stats.outputLimitClosed > 0 })
	if conn := l.acting; cap(conn.out) > 0 || cap(conn.left) > 0 {
		t.Errorf("%d bytes are held", cap(conn.out)+cap(conn.left))
	}
}

// The ledger counts what connections hold: a long request, unread replies, a
// transaction.
func TestConnectionBuffersAreCharged(t *testing.T) {
	for name, hold := range map[string]func(c *caller){
		"request": func(c *caller) { c.Send([]byte("*2\r\n$4\r\necho\r\n$500000\r\n" + strings.Repeat("x", 400_000))) },
		"replies": func(c *caller) {
			c.line("set big " + strings.Repeat("x", 50_000))
			c.Pause(true)
			c.pipeline(strings.Split(strings.Repeat("get big;", 10), ";")[:10]...)
		},
		"transaction": func(c *caller) {
			c.line("multi")
			for range 10 {
				c.line("set big " + strings.Repeat("x", 50_000))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			place := newTownIn(t, sim.New(1, sim.Mix{}), 2)
			c := place.dial().at(0)
			used := place.node.ledger.Used()
			hold(c)
			place.pass(50)
			if n := c.conn().charged; n < 400_000 || n > 1_600_000 {
				t.Errorf("%d bytes are charged to the connection", n)
			}
			if n := place.node.ledger.Used() - used; n < 400_000 {
				t.Errorf("%d bytes are charged to the node", n)
			}
			c.Reset()
			place.pass(50)
			place.balanced(t)
		})
	}
}

// Ten thousand connections that wait cost little more than what the world needs
// for them, and their charges come back.
func TestIdleConnectionsAreCheap(t *testing.T) {
	const count = 10_000
	place := newTownIn(t, sim.New(1, sim.Mix{Window: 1 << 10}), 2)
	var peers []*sim.Peer
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for len(peers) < count {
		for range 250 {
			p := place.world.Dial(townAddress)
			p.Send([]byte("*1\r\n$4\r\nping\r\n*2\r\n$4\r\necho\r\n$3\r\nhe"))
			peers = append(peers, p)
		}
		place.until("all connections", func() bool { return place.node.clients() == int64(len(peers)) })
	}
	place.pass(1000)
	with := heap()
	for _, p := range peers {
		if got := string(p.Receive()); got != "+PONG\r\n" {
			t.Fatalf("%q", got)
		}
	}
	charged := place.node.clientBytes()
	t.Logf("heap %d bytes a connection, world included; charged %d", with/count, charged/count)
	if with/count > 4<<10 {
		t.Errorf("%d bytes a connection, world included", with/count)
	}
	if charged/count > 200 {
		t.Errorf("%d bytes charged for a connection that waits with half a request", charged/count)
	}
	for _, p := range peers {
		p.Close()
	}
	place.until("the end of all connections", func() bool { return place.node.clients() == 0 })
	place.balanced(t)
}
