package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// counts gives how many connections each loop serves.
func (t *town) counts() (list []int64) {
	for _, l := range t.node.loops {
		list = append(list, l.clients.Load())
	}
	return list
}

// spread tells that no loop has more than one connection above another.
func spread(counts []int64) bool {
	least, most := counts[0], counts[0]
	for _, n := range counts {
		least, most = min(least, n), max(most, n)
	}
	return most-least <= 1
}

// Connections that all come to one loop's listener end up spread over the loops.
func TestConnectionsOfOneListenerAreSpread(t *testing.T) {
	for _, shards := range []int{2, 4} {
		place := newTownIn(t, sim.New(1, sim.Mix{}), shards)
		for _, l := range place.node.loops[1:] {
			for _, listener := range l.listeners {
				l.poller.Close(listener)
			}
			l.listeners = nil
		}
		var callers []*caller
		for range 8 {
			callers = append(callers, place.dial())
		}
		for _, c := range callers {
			c.check([2]string{"ping", "+PONG\r\n"})
		}
		if counts := place.counts(); !spread(counts) {
			t.Errorf("%d loops serve %v", shards, counts)
		}
	}
}

// When connections leave so that loops are uneven, idle ones move, and whoever
// is served goes on being served.
func TestLoopsAreEvenedOut(t *testing.T) {
	eachSeed(t, 10, func(t *testing.T, seed uint64, world *sim.World) {
		shards := 2 + int(seed%3)
		place := newTownIn(t, world, shards)
		var callers []*caller
		for range 8 * shards {
			callers = append(callers, place.dial())
		}
		for _, c := range callers {
			c.settle()
		}
		gone := 0
		for _, c := range callers {
			if conn := c.conn(); conn.loop.id == 0 || conn.loop.id == 1 && shards > 2 {
				c.Close()
				gone++
			}
		}
		place.pass(3000)
		if counts := place.counts(); !spread(counts) || int(place.node.clients()) != len(callers)-gone {
			t.Errorf("%d loops serve %v", shards, counts)
		}
		for _, c := range callers {
			if c.conn() != nil {
				c.check([2]string{"ping", "+PONG\r\n"})
			}
		}
	})
}

// A connection that moves from loop to loop loses no byte, in neither
// direction, and keeps its session.
func TestHandOverLosesNothing(t *testing.T) {
	eachSeed(t, 30, func(t *testing.T, seed uint64, world *sim.World) {
		d := newDice(seed)
		shards := 2 + d.below(3)
		place := newTownIn(t, world, shards)
		c := place.dial()
		c.pipeline("client setname mover", "select 3", "hello 3")
		c.next(3)
		var rest []byte
		want := ""
		for i := range 300 {
			text := strings.Repeat(fmt.Sprint(i), d.below(80))
			rest = append(rest, fmt.Sprintf("*2\r\n$4\r\necho\r\n$%d\r\n%s\r\n", len(text), text)...)
			want += fmt.Sprintf("$%d\r\n%s\r\n", len(text), text)
		}
		rest = append(rest, requests("client getname", "get none", "set x 1")...)
		want += "$5\r\nmover\r\n_\r\n+OK\r\n"
		moves := 0
		place.until("every reply", func() bool {
			c.deal(d, &rest, 500)
			moves += place.shove(d, "mover")
			c.pull()
			return len(c.got) >= len(want)
		})
		if string(c.got) != want {
			t.Error("wrong replies")
		}
		c.got = nil
		if got := c.line("client list"); !strings.Contains(got, " db=3 ") {
			t.Errorf("%q", got)
		}
		if moves < 10 {
			t.Errorf("%d moves", moves)
		}
	})
}

// shove moves the connection so named to another loop, if it waits for nothing.
func (t *town) shove(d dice, name string) int {
	for _, l := range t.node.loops {
		for _, c := range l.conns {
			if c != nil && c.name == name && c.idle() && d.below(3) == 0 {
				l.conns[c.id] = nil
				l.clients.Add(-1)
				l.handOver(c, t.node.loops[(l.id+1)%len(t.node.loops)])
				return 1
			}
		}
	}
	return 0
}

// TestBetweenLoopsIsSeen: a connection that is handed over is listed and counted
// at every moment, also before the other loop takes it.
func TestBetweenLoopsIsSeen(t *testing.T) {
	eachSeed(t, 10, func(t *testing.T, seed uint64, world *sim.World) {
		d := newDice(seed)
		place := newTownIn(t, world, 2+d.below(3))
		c := place.dial()
		c.line("client setname mover")
		between := 0
		for range 400 {
			place.shove(d, "mover")
			if len(place.node.between()) > 0 {
				between++
			}
			all := place.node.everybody()
			if len(all) != 1 || all[0].name != "mover" || place.node.clients() != 1 {
				t.Fatalf("%d clients are listed, %d counted", len(all), place.node.clients())
			}
			place.turn()
		}
		if between < 10 {
			t.Errorf("seen %d times between two loops", between)
		}
	})
}

// TestKilledBetweenLoops: whoever takes over a connection that was killed on
// its way closes it.
func TestKilledBetweenLoops(t *testing.T) {
	eachSeed(t, 10, func(t *testing.T, seed uint64, world *sim.World) {
		d := newDice(seed)
		place := newTownIn(t, world, 2)
		c := place.dial()
		c.line("client setname mover")
		c.pipeline("set x 1")
		for place.shove(d, "mover") == 0 {
			place.turn()
		}
		if len(place.node.between()) != 1 {
			t.Fatal("the connection is not between two loops")
		}
		c.pipeline("set late 1")
		place.node.loops[0].kill(place.node.between()[0], nil)
		if n := len(place.node.everybody()); n != 0 {
			t.Errorf("%d clients are listed after the kill", n)
		}
		c.ended()
		if n := place.node.clients(); n != 0 {
			t.Errorf("%d clients are left", n)
		}
		if got := place.dial().line("exists late"); got != ":0\r\n" {
			t.Errorf("a request ran after the kill: %q", got)
		}
	})
}

// TestIdleTimeOutlastsMoves: a connection that moves was not active.
func TestIdleTimeOutlastsMoves(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2)
	c, d := place.dial(), newDice(1)
	c.line("client setname mover")
	place.pass(5000)
	for place.shove(d, "mover") == 0 {
		place.turn()
	}
	place.pass(5000)
	if got := place.dial().line("client list"); !strings.Contains(got, "name=mover age=10 idle=10 ") {
		t.Errorf("%q", got)
	}
}
