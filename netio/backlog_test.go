package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// A client that asks for far more than it reads gets it all, in order, and
// nobody else waits for it.
func TestBacklog(t *testing.T) {
	eachSeed(t, 8, func(t *testing.T, seed uint64, world *sim.World) {
		shards := 1 + int(seed%3)
		town := newTownIn(t, world, shards)
		greedy, other := town.dial(), town.dial()
		k, short := keyOn(shards-1, shards, "k"), keyOn(0, shards, "s")
		text := longText(50 << 10)
		other.check([2]string{"set " + k + " " + text, "+OK\r\n"}, [2]string{"set " + short + " v", "+OK\r\n"})
		const times = 60
		var lines []string
		for i := range times {
			lines = append(lines, "get "+k, fmt.Sprintf("echo %d", i), "get "+short)
		}
		greedy.pipeline(lines...)
		town.pass(5)
		other.check([2]string{"get " + short, bulk("v")})
		if list := other.line("client list"); !strings.Contains(list, "omem=") {
			t.Errorf("client list: %q", list)
		}
		for i, got := range greedy.next(3 * times) {
			want := [3]string{bulk(text), bulk(fmt.Sprint(i / 3)), bulk("v")}[i%3]
			if got != want {
				t.Fatalf("reply %d: %.40q", i, got)
			}
		}
		town.pass(1000)
		if charged := town.total(func(l *Loop) int64 { return l.stats.charged.Load() }); charged > 50<<10 {
			t.Errorf("%d bytes of buffers are charged when all is read", charged)
		}
	})
}
