package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/sim"
)

// longText is a text that no piece of equals another.
func longText(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%d.", i)
	}
	return b.String()[:n]
}

func bulk(text string) string { return fmt.Sprintf("$%d\r\n%s\r\n", len(text), text) }

// converse sends requests in pieces of any size and compares the replies.
func (c *caller) converse(d dice, talk [][2]string) {
	c.town.tb.Helper()
	var rest []byte
	for _, t := range talk {
		rest = append(rest, requests(t[0])...)
	}
	var got []string
	c.town.until("the last reply", func() bool {
		c.deal(d, &rest, 400<<10)
		got = append(got, c.arrived()...)
		return len(got) >= len(talk)
	})
	for i, t := range talk {
		if got[i] != t[1] {
			c.town.tb.Fatalf("%.60q: got %d bytes %.60q, want %d bytes %.60q", t[0], len(got[i]), got[i], len(t[1]), t[1])
		}
	}
}

// Long values come in, change, and go out like short ones, wherever a pipeline
// is cut and whichever shard has them.
func TestLongValues(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	eachSeed(t, 8, func(t *testing.T, seed uint64, world *sim.World) {
		shards := 1 + int(seed%3)
		town := newTownWith(t, world, shards, keyspace.Options{Spare: int(seed%2) * 4 << 20})
		c, d := town.dial(), newDice(seed)
		one, two := longText(600<<10+d.below(300<<10)), longText(700<<10+d.below(1<<20))
		var talk [][2]string
		for shard := range shards {
			k := keyOn(shard, shards, "k")
			talk = append(talk,
				[2]string{"set " + k + " " + one, "+OK\r\n"},
				[2]string{"ping", "+PONG\r\n"},
				[2]string{"get " + k, bulk(one)},
				[2]string{"append " + k + " tail", fmt.Sprintf(":%d\r\n", len(one)+4)},
				[2]string{"get " + k, bulk(one + "tail")},
				[2]string{"getrange " + k + " 7 -3", bulk(one[7:] + "ta")},
				[2]string{"set " + k + " " + two + " get ex 100", bulk(one + "tail")},
				[2]string{"persist " + k, ":1\r\n"},
				[2]string{"append " + k + " " + one, fmt.Sprintf(":%d\r\n", len(one)+len(two))},
				[2]string{"setrange " + k + " 10 xyz", fmt.Sprintf(":%d\r\n", len(one)+len(two))},
				[2]string{"getdel " + k, bulk(two[:10] + "xyz" + two[13:] + one)},
				[2]string{"exists " + k, ":0\r\n"},
				[2]string{"set " + k + " " + one + " xx", "$-1\r\n"},
				[2]string{"setex " + k + " 100 " + one, "+OK\r\n"},
				[2]string{"getset " + k + " short", bulk(one)},
			)
		}
		c.converse(d, talk)
		c.line("flushall")
		town.pass(1000)
		town.checkNoExtents()
	})
}

// checkNoExtents fails when memory of a long value is left.
func (t *town) checkNoExtents() {
	t.tb.Helper()
	for i, s := range t.node.stores {
		if s.Check(); s.Stats().Extents != 0 {
			t.tb.Errorf("shard %d has %d bytes of extents", i, s.Stats().Extents)
		}
	}
}

// A client that reads slowly gets the value that was there when it asked,
// whatever others do to it meanwhile, or goes away without a trace.
func TestLongReplyWhileTheValueChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	eachSeed(t, 12, func(t *testing.T, seed uint64, world *sim.World) {
		shards := 1 + int(seed%3)
		town := newTownIn(t, world, shards)
		reader, writer := town.dial(), town.dial()
		k, text := keyOn(shards-1, shards, "k"), longText(3<<20)
		writer.converse(newDice(seed), [][2]string{{"set " + k + " " + text, "+OK\r\n"}})
		reader.pipeline("get "+k, "ping")
		town.until("the begin of the reply", func() bool { reader.pull(); return len(reader.got) > 1000 })
		if len(reader.got) > 2<<20 {
			t.Skip("all of it came at once")
		}
		writer.check(
			[2]string{"append " + k + " tail", fmt.Sprintf(":%d\r\n", len(text)+4)},
			[2]string{"setrange " + k + " 3000000 xyz", fmt.Sprintf(":%d\r\n", len(text)+4)},
		)
		if seed%2 == 0 {
			writer.check([2]string{"del " + k, ":1\r\n"})
		} else {
			writer.check([2]string{"getrange " + k + " 2999999 3000003", bulk(text[2999999:3000000] + "xyz" + text[3000003:3000004])})
		}
		if seed%4 < 2 {
			if got := reader.next(2); got[0] != bulk(text) || got[1] != "+PONG\r\n" {
				t.Errorf("%d bytes came, then %.20q", len(got[0]), got[1])
			}
		} else {
			reader.Close()
		}
		town.pass(1000)
		writer.line("flushall")
		town.pass(1000)
		town.checkNoExtents()
	})
}
