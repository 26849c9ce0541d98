package netio

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// jump sets the civil time of the machine by so many seconds, and lets all
// loops notice.
func (t *town) jump(seconds int64) {
	t.machine.Clock.Offset += seconds * 1e9
	t.pass(300)
}

// number is an integer reply.
func (c *caller) number(line string) int64 {
	c.town.tb.Helper()
	got := strings.TrimSuffix(strings.TrimPrefix(c.line(line), ":"), "\r\n")
	n, err := strconv.ParseInt(got, 10, 64)
	if err != nil {
		c.town.tb.Errorf("%s: %q", line, got)
	}
	return n
}

// TestClockJumps: deadlines are moments of civil time, as in Redis: when it is
// set back keys live longer, and when it is set ahead they are due. What the
// node measures and schedules itself does not mind.
func TestClockJumps(t *testing.T) {
	const hour, day = 3600, 86400
	eachSize(t, func(t *testing.T, shards int) {
		town := newTownIn(t, sim.New(9, sim.Mix{Tick: 2_000_000}), shards, "slowlog-log-slower-than=0",
			"latency-monitor-threshold=1", "timeout=1000", "enable-debug-command=yes")
		c := town.dial()
		c.check([2]string{"set a 1 ex 100", "+OK\r\n"}, [2]string{"set b 1 ex 7200", "+OK\r\n"}, [2]string{"set c 1", "+OK\r\n"})
		town.jump(-hour)
		if ttl := c.number("ttl a"); ttl < hour+90 || ttl > hour+100 {
			t.Errorf("set back by an hour, a lives %d seconds", ttl)
		}
		c.line("set short 1 px 500")
		town.pass(2000)
		if got := c.line("exists short a b c"); got != ":3\r\n" {
			t.Errorf("keys that exist then: %q", got)
		}
		town.reasonable(c)
		town.jump(hour + day)
		if got := c.line("mget a b c short"); got != "*4\r\n$-1\r\n$-1\r\n$1\r\n1\r\n$-1\r\n" {
			t.Errorf("set ahead by a day: %q", got)
		}
		town.pass(1000)
		if got := c.line("dbsize"); got != ":1\r\n" {
			t.Errorf("what is due is not removed: %q keys", got)
		}
		town.reasonable(c)
		c.line("client pause 1000 write")
		town.jump(-day)
		c.ask("set", "d", "1")
		if ms := took(town, c); ms < 500 || ms > 1200 {
			t.Errorf("a pause of a second held for %d ms more", ms)
		}
		if got := c.line("client kill maxage 1000 skipme no"); got != ":0\r\n" {
			t.Errorf("clients are old by a jump: %q", got)
		}
	})
}

// negative finds numbers below zero, with what stands before them.
var negative = regexp.MustCompile(`[\w.]+[^-\w.]+-[0-9.]+`)

// nothing are those that say that there is nothing.
var nothing = []string{
	"multi=-1", "redir=-1", "second_repl_offset:-1", "rdb_last_bgsave_time_sec:-1",
	"rdb_current_bgsave_time_sec:-1", "aof_last_rewrite_time_sec:-1", "aof_current_rewrite_time_sec:-1",
}

// reasonable looks for durations below zero wherever the node tells any.
func (t *town) reasonable(c *caller) {
	t.tb.Helper()
	for _, line := range []string{
		"info everything", "client list", "client info", "slowlog get 128", "latency latest", "latency doctor", "latency histogram",
		"latency history command", "latency graph command", "latency graph fast-command", "object idletime c", "memory stats",
	} {
		for _, found := range negative.FindAllString(c.line(line), -1) {
			if !slices.Contains(nothing, found) {
				t.tb.Errorf("%s: %s", line, found)
			}
		}
	}
}

// TestClockJumpsUnderLoad: the civil time jumps to and fro while clients write
// keys that expire; no deadline is missed or early by the time that counts.
func TestClockJumpsUnderLoad(t *testing.T) {
	eachSeed(t, 12, func(t *testing.T, seed uint64, world *sim.World) {
		d := newDice(seed)
		town := newTownIn(t, world, 1+d.below(3), "maxmemory-policy="+[]string{"allkeys-lru", "volatile-lfu", "volatile-ttl"}[d.below(3)])
		c := town.dial()
		due := map[string]int64{} // civil milliseconds
		now := func() int64 { return (sim.Epoch + world.Now() + town.machine.Clock.Offset) / 1e6 }
		for range 150 {
			switch d.below(6) {
			case 0:
				town.jump(int64(d.below(3*86400)) - 86400)
			case 1:
				town.pass(int64(d.below(2000)))
			default:
				key, ms := fmt.Sprintf("k%d", d.below(20)), int64(1+d.below(5_000_000))
				due[key] = now() + ms
				c.line(fmt.Sprintf("set %s v px %d", key, ms))
			}
			for key, at := range due {
				left := c.number("pttl " + key)
				const slack = 1000 // the reply takes a while
				switch want := at - now(); {
				case want < -slack && left != -2, want > slack && (left < want-slack || left > want+slack):
					t.Fatalf("%s has %d ms left, not %d", key, left, want)
				}
				if left == -2 {
					delete(due, key) // it is gone for good, also when time is set back
				}
			}
		}
	})
}
