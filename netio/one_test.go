package netio

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// forms are requests with blanks: K is a key, V a value, N a number, D one of
// the first databases. Their replies depend on nothing but what came before.
var forms = []string{
	"set K V", "set K V", "set K V", "set K N", "set K V nx", "set K V xx get", "set K V keepttl", "set K V ex 1000", "setnx K V", "setex K 1000 V",
	"get K", "get K", "get K", "getset K V", "getdel K", "getex K", "getex K persist", "getex K ex 500", "append K V", "strlen K",
	"incr K", "incr K", "incrby K N", "decr K", "decrby K N", "incrbyfloat K 1.5", "getrange K 1 3", "setrange K N V", "lcs K K",
	"mset K V K V K V", "mset K V", "msetnx K V K V", "mget K K K K", "mget K", "del K", "del K K K", "unlink K K", "exists K K K K", "exists K", "touch K K",
	"type K", "rename K K", "renamenx K K", "copy K K", "copy K K replace", "copy K K db D", "move K D", "expire K 100", "expire K 50 gt", "expire K -1",
	"persist K", "ttl K", "object encoding K", "dbsize", "dbsize", "keys nosuch*", "randomkey nosuch",
	"select D", "select D", "swapdb D D", "flushdb", "flushall",
	"multi", "multi", "exec", "exec", "exec", "discard", "watch K K", "watch K", "unwatch",
	"echo V", "ping", "ping V", "client reply skip", "client setname V", "client getname", "hello 3", "hello 2", "reset",
	"nosuch K", "get", "set K", "mget", "incr V V", "client nosuch", "select x", "config get nosuch", "command count", "client no-touch on",
}

// rare are forms that come up less often than the others.
var rare = map[string]bool{"flushall": true, "flushdb": true, "swapdb D D": true, "reset": true, "hello 3": true, "hello 2": true, "discard": true}

// invent fills a form in.
func invent(d dice) string {
	form := forms[d.below(len(forms))]
	if rare[form] && d.below(4) > 0 {
		form = "get K"
	}
	var line []string
	for word := range strings.FieldsSeq(form) {
		switch word {
		case "K":
			word = fmt.Sprint("key:", d.below(10))
		case "V":
			word = strings.Repeat(string(rune('a'+d.below(26))), 1+d.below(40)*d.below(10))
		case "N":
			word = fmt.Sprint(d.below(60))
		case "D":
			word = fmt.Sprint(d.below(3))
		}
		line = append(line, word)
	}
	return strings.Join(line, " ")
}

// answersTo gives all that a node replies to a pipeline on one connection.
func answersTo(t *testing.T, place *town, d dice, stream []byte) []byte {
	c := place.dial()
	rest := append(bytes.Clone(stream), "reset\r\nquit\r\n"...)
	place.until("the end", func() bool {
		c.deal(d, &rest, 1+d.below(20_000))
		c.pull()
		return c.Err() != nil
	})
	place.watchesGone(t)
	return c.got
}

// To one client, a node of many loops is the same as a node of one.
func TestManyLoopsAnswerAsOne(t *testing.T) {
	eachSeed(t, 60, func(t *testing.T, seed uint64, world *sim.World) {
		d := newDice(seed)
		var lines []string
		for range 600 {
			lines = append(lines, invent(d))
		}
		stream := requests(lines...)
		want := answersTo(t, newTownIn(t, sim.New(seed, sim.Mix{}), 1), d, stream)
		got := answersTo(t, newTownIn(t, world, 2+d.below(7)), d, stream)
		if !bytes.Equal(got, want) {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			from := max(0, at-100)
			t.Errorf("after %d bytes\n\tmany %.200q\n\tone  %.200q", at, got[min(from, len(got)):], want[min(from, len(want)):])
		}
	})
}

// Several clients that say anything at the same time are all answered.
func TestManyClientsSayAnything(t *testing.T) {
	more := []string{
		"client list", "info", "monitor", "client pause 3 write", "client pause 2", "client unpause", "client kill type normal skipme yes",
		"client kill id N", "config set hz 20", "config get *", "slowlog get", "scan N", "keys *", "randomkey", "config set pipeline-order relaxed",
		"config set pipeline-order strict", "client reply off", "client reply on", "client info", "set K V px 1", "set K V px 5", "latency latest",
		"config resetstat", "memory usage K", "flushall async", "object idletime K", "quit", "lolwut", "command", "config set maxmemory-clients 1mb",
	}
	eachSeed(t, 40, func(t *testing.T, seed uint64, world *sim.World) {
		d := newDice(seed)
		place := newTownIn(t, world, 1+d.below(4))
		streams, callers := make([][]byte, 6), make([]*caller, 6)
		for i := range callers {
			callers[i] = place.dial()
			var lines []string
			for range 150 {
				if line := invent(d); d.below(6) > 0 {
					lines = append(lines, line)
				} else {
					k := strings.NewReplacer("K", fmt.Sprint("key:", d.below(10)), "N", fmt.Sprint(d.below(12)), "V", "v")
					lines = append(lines, k.Replace(more[d.below(len(more))]))
				}
			}
			streams[i] = requests(append(lines, "quit", "discard", "quit")...)
		}
		place.until("the end of all", func() bool {
			left := false
			for i, c := range callers {
				c.deal(d, &streams[i], 5000)
				c.Receive()
				left = left || c.Err() == nil
			}
			return !left
		})
		place.pass(200)
		place.watchesGone(t)
		place.balanced(t)
		place.dial().check([2]string{"ping", "+PONG\r\n"})
	})
}
