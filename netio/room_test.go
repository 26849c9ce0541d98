package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/sim"
)

// crowd fills a node with small keys up to its limit and makes evictions slow.
func crowd(t *testing.T, shards int) *town {
	place := newTownIn(t, sim.New(1, sim.Mix{}), shards, "maxmemory=4000000", "maxmemory-policy=allkeys-lru")
	c := place.dial()
	for i := 0; i < 40_000; i += 500 {
		var lines []string
		for j := range 500 {
			lines = append(lines, fmt.Sprintf("set small:%d %s", i+j, strings.Repeat("v", 60)))
		}
		c.pipeline(lines...)
		c.next(len(lines))
	}
	for _, l := range place.node.loops {
		l.shard.Listen(func(e *command.Effect) {
			if string(e.Args[0]) == "DEL" {
				place.world.Spend(20_000)
			}
		})
	}
	return place
}

// Where thousands of keys have to go for a value, its client waits and nobody
// else; what the client has sent is carried out once, in its order.
func TestLargeValuesWaitForRoom(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		place := crowd(t, shards)
		c, other := place.dial(), place.dial()
		large := strings.Repeat("x", 200_000)
		var lines, want []string
		for i := range 8 {
			k := keyOn(i%shards, shards, fmt.Sprint("large", i))
			lines = append(lines, "set "+k+" "+large, fmt.Sprint("echo ", i), "append "+k+" tail")
			want = append(want, "+OK\r\n", bulk(fmt.Sprint(i)), ":200004\r\n")
		}
		c.pipeline(lines...)
		var got []string
		pings := 0
		for ; len(got) < len(want); pings++ {
			from := place.world.Now()
			other.check([2]string{"ping", "+PONG\r\n"})
			if took := place.world.Now() - from; took > 2e6*int64(shards) {
				t.Fatalf("ping %d took %d us while a value waits", pings, took/1000)
			}
			got = append(got, c.arrived()...)
		}
		for i := range want {
			if evicted := got[i] == ":4\r\n"; got[i] != want[i] && !evicted {
				t.Fatalf("reply %d is %.60q, want %q", i, got[i], want[i])
			}
		}
		if pings < 50 {
			t.Errorf("only %d pings were answered meanwhile", pings)
		}
	})
}
