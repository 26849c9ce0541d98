package netio

import (
	"strings"
	"testing"
)

// While the node sleeps nobody is served, whichever loop has the client.
func TestDebugSleepHoldsEverybody(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		town := newTown(t, shards, debugOn)
		sleeper := town.dial()
		var others []*caller
		for range 6 {
			c := town.dial()
			c.line("ping")
			others = append(others, c)
		}
		before := town.world.Now()
		sleeper.ask("debug", "sleep", "0.25")
		if err := town.world.RunFor(1e6, town.actors...); err != nil {
			t.Fatal(err)
		}
		for _, c := range others {
			c.ask("ping")
		}
		for _, c := range append(others, sleeper) {
			c.reply()
			if waited := town.world.Now() - before; waited < 250e6 || waited > 300e6 {
				t.Errorf("answered after %d ns", waited)
			}
		}
	})
}

func TestDebugSleepOfNoTime(t *testing.T) {
	c := newTown(t, 2, debugOn).dial()
	before := c.town.world.Now()
	c.check([2]string{"debug sleep x", "+OK\r\n"}, [2]string{"debug sleep -1", "+OK\r\n"}, [2]string{"debug sleep 0", "+OK\r\n"})
	if took := c.town.world.Now() - before; took > 10e6 {
		t.Errorf("took %d ns", took)
	}
}

// The time slept is time that the command took.
func TestDebugSleepCounts(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newTown(t, shards, debugOn).dial()
		c.line("debug sleep 0.03")
		if got := c.line("slowlog get"); !strings.Contains(got, "$5\r\ndebug\r\n$5\r\nsleep\r\n$4\r\n0.03\r\n") {
			t.Errorf("slow log: %q", got)
		}
		if got := c.line("latency histogram debug"); !strings.Contains(got, ":33816\r\n:1\r\n") {
			t.Errorf("histogram: %q", got)
		}
	})
}

func TestDebugSetActiveExpire(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newTown(t, shards, debugOn).dial()
		wait := func() {
			if err := c.town.world.RunFor(3e9, c.town.actors...); err != nil {
				t.Fatal(err)
			}
		}
		for _, off := range []string{"debug set-active-expire 0", "debug pause-cron 1"} {
			c.line(off)
			for _, key := range []string{"a", "b", "c", "d", "e"} {
				c.do("set", key, "v", "px", "10")
			}
			wait()
			c.check([2]string{"dbsize", ":5\r\n"}, [2]string{"debug set-active-expire 1", "+OK\r\n"}, [2]string{"debug pause-cron 0", "+OK\r\n"})
			wait()
			c.check([2]string{"dbsize", ":0\r\n"})
		}
	})
}
