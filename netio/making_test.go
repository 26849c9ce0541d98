package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// COPY of a long string takes turns with other clients, and takes effect at
// once and as a whole when it is complete, whatever they do meanwhile.
func TestCopyTakesTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	text := longText(6 << 20)
	changed := text[:10] + "xyz" + text[13:]
	for name, test := range map[string]struct {
		meanwhile string // by another client
		want      string // what COPY replies
		from, to  string // what the keys hold afterwards; "-" for none
	}{
		"nothing":        {"ping", ":1\r\n", text, text},
		"append":         {"append FROM tail", ":1\r\n", text + "tail", text + "tail"},
		"setrange":       {"setrange FROM 10 xyz", ":1\r\n", changed, changed},
		"target is set":  {"set TO other", ":1\r\n", text, text},
		"target is gone": {"del TO", ":1\r\n", text, text},
		"delete":         {"del FROM", ":0\r\n", "-", "old"},
		"replaced":       {"set FROM short", ":1\r\n", "short", "short"},
		"flushed":        {"flushall", ":0\r\n", "-", "-"},
		"monitored":      {"monitor", ":1\r\n", text, text},
		"pause":          {"client pause 3000 write", ":1\r\n", text, text},
	} {
		for shards := 1; shards <= 2; shards++ {
			t.Run(fmt.Sprintf("%s, shards=%d", name, shards), func(t *testing.T) {
				place := newTownIn(t, sim.New(1, sim.Mix{}), shards)
				c, other, third := place.dial().at(0), place.dial(), place.dial()
				from := "{" + keyOn(shards-1, shards, "k") + "}from"
				to := strings.TrimSuffix(from, "from") + "to"
				c.check([2]string{"set " + from + " " + text, "+OK\r\n"}, [2]string{"set " + to + " old", "+OK\r\n"})
				hits := third.info("keyspace_hits")
				c.pipeline("copy "+from+" "+to+" replace", "echo done")
				for range 6 {
					third.check([2]string{"get " + to, bulk("old")})
					hits++
				}
				other.line(strings.NewReplacer("FROM", from, "TO", to).Replace(test.meanwhile))
				if got := c.next(2); got[0] != test.want || got[1] != bulk("done") {
					t.Errorf("COPY replies %q, then %q", got[0], got[1])
				}
				if test.want == ":1\r\n" {
					hits++
				}
				if test.meanwhile != "ping" {
					hits = third.info("keyspace_hits")
				}
				if got := third.info("keyspace_hits"); got != hits {
					t.Errorf("%d hits, not %d", got, hits)
				}
				third.check([2]string{"get " + from, orNone(test.from)}, [2]string{"get " + to, orNone(test.to)})
				third.line("flushall")
				place.pass(4000)
				place.checkNoExtents()
			})
		}
	}
}

func orNone(text string) string {
	if text == "-" {
		return "$-1\r\n"
	}
	return bulk(text)
}

// A client that is closed while its COPY takes turns leaves no memory behind.
func TestCopyOfOneThatIsClosed(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	eachSeed(t, 2, func(t *testing.T, seed uint64, world *sim.World) {
		place := newTownIn(t, world, 1)
		text := longText(6 << 20)
		other := place.dial()
		other.check([2]string{"set from " + text, "+OK\r\n"})
		place.pass(1000)
		used := place.node.ledger.Used()
		for range 20 { // more than take turns at a time
			c := place.dial()
			c.pipeline("copy from to replace")
			other.line("client kill type normal")
		}
		place.pass(6000)
		other.line("del to")
		place.pass(6000)
		if grown := place.node.ledger.Used() - used; grown > 1<<20 {
			t.Errorf("%d bytes are left", grown)
		}
		other.line("flushall")
		place.pass(4000)
		place.checkNoExtents()
	})
}
