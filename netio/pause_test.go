package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// hushed checks that no caller has had a reply, all within some milliseconds.
func hushed(t *testing.T, place *town, ms int64, callers ...*caller) {
	t.Helper()
	place.pass(ms)
	for i, c := range callers {
		if got := c.arrived(); len(got) > 0 {
			t.Errorf("caller %d was told %q", i, got)
		}
	}
}

// paused is a node with one caller at each of two loops, and one more that
// commands.
func paused(t *testing.T) (place *town, chief, a, b *caller) {
	place = newTownIn(t, sim.New(5, sim.Mix{}), 2)
	chief, a, b = place.dial(), place.dial(), place.dial()
	return place, chief.at(0), a.at(0), b.at(1)
}

// took measures how many virtual milliseconds it takes until all callers have
// their replies.
func took(place *town, callers ...*caller) int64 {
	from := place.world.Now()
	for _, c := range callers {
		c.reply()
	}
	return (place.world.Now() - from) / 1e6
}

func TestPauseWriteHoldsWritesOnly(t *testing.T) {
	place, chief, a, b := paused(t)
	chief.line("set x 1")
	chief.check([2]string{"client pause 5000 write", "+OK\r\n"})
	for _, c := range []*caller{chief, a, b} {
		c.check([2]string{"get x", "$1\r\n1\r\n"}, [2]string{"ping", "+PONG\r\n"}, [2]string{"multi", "+OK\r\n"},
			[2]string{"get x", "+QUEUED\r\n"}, [2]string{"exec", "*1\r\n$1\r\n1\r\n"}, [2]string{"nosuch", "-ERR unknown command 'nosuch', with args beginning with: \r\n"})
	}
	a.ask("set", "x", "2")
	b.pipeline("get x", "multi", "set x 3", "exec", "get x")
	if got := b.next(2); got[1] != "+OK\r\n" {
		t.Errorf("before the write: %q", got)
	}
	hushed(t, place, 4000, a, b)
	if got := chief.line("get x"); got != "$1\r\n1\r\n" {
		t.Errorf("during the pause: %q", got)
	}
	if ms := took(place, a, b); ms < 900 || ms > 1100 {
		t.Errorf("the writes took %d ms more", ms)
	}
	if got := b.next(2); got[0] != "*1\r\n+OK\r\n" {
		t.Errorf("after the pause: %q", got)
	}
	chief.ask("set", "y", "1")
	if ms := took(place, chief); ms > 10 {
		t.Errorf("a write after the pause took %d ms", ms)
	}
}

func TestPauseAllHoldsEverything(t *testing.T) {
	place, chief, a, b := paused(t)
	chief.check([2]string{"client pause 3000", "+OK\r\n"})
	for _, c := range []*caller{chief, a, b} {
		c.pipeline("ping", "get x", "mget x y z")
	}
	hushed(t, place, 2900, chief, a, b)
	if ms := took(place, chief, a, b); ms < 50 || ms > 200 {
		t.Errorf("took %d ms more", ms)
	}
	for _, c := range []*caller{chief, a, b} {
		c.next(2)
	}
}

// Whoever is held goes on at once when the pause is called off, on all loops.
func TestUnpause(t *testing.T) {
	for _, mode := range []string{"all", "write"} {
		t.Run(mode, func(t *testing.T) {
			place, chief, a, b := paused(t)
			chief.check([2]string{"client pause 100000 " + mode, "+OK\r\n"})
			a.ask("set", keyOn(1, 2, "k"), "1")
			b.ask("set", keyOn(1, 2, "k"), "1")
			hushed(t, place, 100, a, b)
			chief.check([2]string{"client unpause", "+OK\r\n"})
			if ms := took(place, a, b); ms > 10 {
				t.Errorf("took %d ms", ms)
			}
		})
	}
}

// A later pause prolongs the one that is on and never shortens it; ALL wins
// over WRITE.
func TestPausesAddUp(t *testing.T) {
	place, chief, a, b := paused(t)
	chief.line("client pause 1000 write")
	chief.line("client pause 3000 all")
	a.ask("get", "x")
	hushed(t, place, 2500, a)
	if ms := took(place, a); ms < 300 || ms > 700 {
		t.Errorf("the longer pause ended after %d ms more", ms)
	}
	chief.line("client pause 2000 write")
	chief.line("client pause 10 write")
	b.ask("set", "x", "1")
	hushed(t, place, 1500, b)
	if ms := took(place, b); ms < 300 || ms > 700 {
		t.Errorf("the shorter one was taken: %d ms", ms)
	}
}

// After the reply to CLIENT PAUSE no loop writes any more.
func TestNoWriteFollowsThePause(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			place := newTownIn(t, sim.New(seed, sim.Mix{Window: 500}), 4)
			d := newDice(seed)
			var writers []*caller
			for i := range 6 {
				w := place.dial()
				for range 400 {
					w.pipeline("incr " + keyOn((i+d.below(2))%4, 4, "n"))
				}
				writers = append(writers, w)
			}
			chief := place.dial()
			place.pass(int64(d.below(3)))
			all := fmt.Sprintf("mget %s %s %s %s", keyOn(0, 4, "n"), keyOn(1, 4, "n"), keyOn(2, 4, "n"), keyOn(3, 4, "n"))
			chief.pipeline("client pause 1000 write", all)
			before := chief.next(2)[1]
			place.pass(500)
			if got := chief.line(all); got != before {
				t.Errorf("%q became %q", before, got)
			}
			for _, w := range writers {
				w.next(400)
			}
		})
	}
}

// A held connection may be killed, reset, or closed.
func TestHeldConnectionsMayEnd(t *testing.T) {
	place, chief, a, b := paused(t)
	c := place.dial()
	chief.line("client pause 100000 write")
	for _, other := range []*caller{a, b, c} {
		other.pipeline("set x 1", "mset x 1 y 2 z 3")
	}
	place.pass(10)
	if got := chief.line(words("client kill id", a.conn().client)); got != ":1\r\n" {
		t.Errorf("%q", got)
	}
	a.ended()
	b.Reset()
	c.Close()
	place.pass(10)
	chief.line("client unpause")
	place.pass(1000)
	if n := place.node.clients(); n != 1 {
		t.Errorf("%d clients are left", n)
	}
}

// TestHeldRequestsOfTheGoneAreDropped: as in Redis, what a client asked for
// during a pause is not run when it has gone before the end, however it went and
// whatever it sent behind; it is gone before the pause is over.
func TestHeldRequestsOfTheGoneAreDropped(t *testing.T) {
	leave := map[string]func(c *caller){
		"closes": func(c *caller) { c.Close() },
		"resets": func(c *caller) { c.Reset() },
		"sends much and closes": func(c *caller) {
			c.pipeline("set x 1", "set y "+strings.Repeat("v", 50_000))
			c.Close()
		},
	}
	for name, leave := range leave {
		for _, mode := range []string{"all", "write"} {
			for _, early := range []string{"in time", "at the end"} {
				t.Run(name+" "+early+" "+mode, func(t *testing.T) {
					place, chief, a, b := paused(t)
					chief.check([2]string{"client pause 3000 " + mode, "+OK\r\n"})
					a.pipeline("set "+keyOn(0, 2, "k")+" 1", "mset x 1 y 2")
					b.pipeline("multi", "set "+keyOn(0, 2, "k")+" 1", "exec")
					place.pass(100)
					if early == "at the end" {
						place.pass(2890)
					}
					leave(a)
					leave(b)
					if early == "in time" {
						place.pass(1000)
						if n := place.node.clients(); n != 1 {
							t.Errorf("%d clients during the pause", n)
						}
					}
					place.pass(4000)
					if got := chief.line("dbsize"); got != ":0\r\n" {
						t.Errorf("%q keys were written", got)
					}
					if n := place.node.clients(); n != 1 {
						t.Errorf("%d clients after the pause", n)
					}
				})
			}
		}
	}
}
