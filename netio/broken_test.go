package netio

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim"
)

// faulty are streams that break after requests which hop between loops: the
// replies to those come first, then the error, then the end.
var faulty = []struct{ bytes, reply string }{
	{"*x\r\n", "-ERR Protocol error: invalid multibulk length\r\n"},
	{"*1\r\n!x\r\n", "-ERR Protocol error: expected '$', got '!'\r\n"},
	{"*1\r\n$x\r\nget", "-ERR Protocol error: invalid bulk length\r\n"},
	{"*2\r\n$3\r\nget\r\n$-1\r\n", "-ERR Protocol error: invalid bulk length\r\n"},
	{"*3000000000\r\n", "-ERR Protocol error: invalid multibulk length\r\n"},
	{"get \"x\r\n", "-ERR Protocol error: unbalanced quotes in request\r\n"},
	{strings.Repeat("x", 70_000), "-ERR Protocol error: too big inline request\r\n"},
	{"*1\r\n$" + strings.Repeat("1", 70_000), "-ERR Protocol error: too big bulk count string\r\n"},
	{"*" + strings.Repeat("1", 70_000), "-ERR Protocol error: too big mbulk count string\r\n"},
}

func TestProtocolErrorsFollowTheRepliesBeforeThem(t *testing.T) {
	eachSeed(t, 12, func(t *testing.T, seed uint64, world *sim.World) {
		shards := 1 + int(seed%4)
		place := newTownIn(t, world, shards)
		d := newDice(seed)
		for _, f := range faulty {
			var lines []string
			want := resp.Writer{Proto: 2}
			for i := range 20 {
				lines = append(lines, fmt.Sprintf("set %s %d", keyOn(d.below(shards), shards, "k"), i), "mget a b c")
				want.OK()
				want.Array(3)
				want.Null()
				want.Null()
				want.Null()
			}
			c := place.dial()
			rest := append(append(requests(lines...), f.bytes...), "set late 1\r\n"...)
			place.until("the end", func() bool {
				c.deal(d, &rest, 30_000)
				c.pull()
				return c.Err() != nil
			})
			if got := string(c.got); got != string(want.Bytes())+f.reply {
				t.Errorf("%.20q: got %q", f.bytes, got)
			}
		}
		if got := place.dial().line("exists late"); got != ":0\r\n" {
			t.Error("what followed the fault ran")
		}
	})
}

// A value of 100 MB in the small reads of a connection costs memory and steps
// in proportion to its size.
func TestLargeValueInSmallReads(t *testing.T) {
	const size = 100 << 20
	place := newTownIn(t, sim.New(1, sim.Mix{Window: 16 << 10}), 2)
	c := place.dial().at(0)
	value := bytes.Repeat([]byte("0123456789abcdef"), size/16)
	key := keyOn(1, 2, "k")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read := place.node.loops[0].stats.reads
	c.Send(fmt.Appendf(nil, "*3\r\n$3\r\nset\r\n$%d\r\n%s\r\n$%d\r\n", len(key), key, size))
	most := 0
	rest := value
	place.until("the value", func() bool {
		if c.Unsent() == 0 && len(rest) > 0 {
			n := min(len(rest), 1<<20)
			c.Send(rest[:n])
			if rest = rest[n:]; len(rest) == 0 {
				c.Send([]byte("\r\n"))
			}
		}
		if conn := c.conn(); conn != nil {
			most = max(most, conn.charged)
		}
		c.pull()
		return len(c.got) > 0
	})
	runtime.ReadMemStats(&after)
	if string(c.got) != "+OK\r\n" {
		t.Fatalf("%q", c.got)
	}
	c.got = nil
	if reads := place.node.loops[0].stats.reads - read; reads > 2*size/(16<<10) {
		t.Errorf("%d reads", reads)
	}
	if most > size+size/2 {
		t.Errorf("%d bytes of buffers", most)
	}
	// The world and the store have their copies too.
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 8*size {
		t.Errorf("%d MB were allocated for %d", spent>>20, size>>20)
	}
	if got := c.line("strlen " + key); got != fmt.Sprintf(":%d\r\n", size) {
		t.Errorf("%q", got)
	}
	if got := c.line("getrange " + key + " 104857590 -1"); got != "$10\r\n6789abcdef\r\n" {
		t.Errorf("%q", got)
	}
	place.pass(100)
	if n := place.node.clientBytes(); n > 200<<10 {
		t.Errorf("%d bytes of buffers stay", n)
	}
}

// A client that says all it has to say and closes its half gets its replies.
func TestHalfClose(t *testing.T) {
	eachSeed(t, 15, func(t *testing.T, seed uint64, _ *sim.World) {
		mix := sim.DrawMix(seed)
		mix.Reset, mix.ShortWrite, mix.Window = 0, 0, 0
		shards := 1 + int(seed%4)
		place := newTownIn(t, sim.New(seed, mix), shards)
		c := place.dial()
		want := ""
		for i := range 40 {
			c.pipeline("append "+keyOn(i%shards, shards, "k")+" x", "exists a b c")
			want += fmt.Sprintf(":%d\r\n:0\r\n", 1+i/shards)
		}
		c.CloseWrite()
		if got := c.ended(); got != want || c.Err() != io.EOF {
			t.Errorf("%q, %v", got, c.Err())
		}
	})
}

// Connections that break or close while an answer, a barrier, a relaxed batch
// or their own replies are under way leave nothing behind, and what they began
// is done once or not at all.
func TestConnectionsBreakWhileTheyWait(t *testing.T) {
	for _, order := range []string{"strict", "relaxed"} {
		for _, how := range []string{"reset", "close"} {
			t.Run(order+" "+how, func(t *testing.T) {
				eachSeed(t, 20, func(t *testing.T, seed uint64, world *sim.World) {
					breakMany(t, seed, newTownIn(t, world, 2+int(seed%3), "pipeline-order="+order), how)
				})
			})
		}
	}
}

func breakMany(t *testing.T, seed uint64, place *town, how string) {
	d := newDice(seed)
	shards := len(place.node.loops)
	steady := place.dial()
	steady.line("set big " + strings.Repeat("x", 30_000))
	for range 12 {
		var broken []*caller
		for range 3 {
			c := place.dial()
			c.Pause(d.below(3) == 0)
			for range 20 {
				c.pipeline("incr "+keyOn(d.below(shards), shards, "n"), "get big", "mget a b c d", "incr "+keyOn(d.below(shards), shards, "m"),
					"watch a b", "multi", "incr x", "incr y", "exec")
			}
			c.Send([]byte("*3\r\n$3\r\nset\r\n$1\r\nv\r\n$50000\r\n" + strings.Repeat("v", d.below(50_000))))
			broken = append(broken, c)
		}
		for range d.below(25) {
			place.turn()
		}
		for _, c := range broken {
			if how == "reset" {
				c.Reset()
			} else {
				c.Close()
			}
		}
		if got := steady.line("mget x y"); !same(got) {
			t.Errorf("half a transaction: %q", got)
		}
	}
	place.pass(1000)
	place.watchesGone(t)
	if n := place.node.clients(); n != 1 {
		t.Errorf("%d clients", n)
	}
	steady.Close()
	place.pass(1000)
	place.balanced(t)
}

// balanced checks that nothing is charged once all connections are gone.
func (t *town) balanced(test *testing.T) {
	test.Helper()
	if n := t.node.clientBytes(); n != 0 {
		test.Errorf("%d bytes are charged without a connection", n)
	}
	if n := t.node.clients(); n != 0 {
		test.Errorf("%d clients are counted without a connection", n)
	}
}
