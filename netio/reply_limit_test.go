package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// bigKeys stores values of 700 KB, and gives their keys: some for each shard.
func bigKeys(c *caller, shards, each int) (keys []string, values map[string]string) {
	values = map[string]string{}
	text := longText(701 << 10)
	for shard := range shards {
		for i := range each {
			k := keyOn(shard, shards, fmt.Sprint("big", i))
			values[k] = text[shard*10+i : 700<<10]
			c.check([2]string{"set " + k + " " + values[k], "+OK\r\n"})
			keys = append(keys, k)
		}
	}
	return keys, values
}

// arrayOf is an array of replies.
func arrayOf(replies ...string) string {
	return fmt.Sprintf("*%d\r\n%s", len(replies), strings.Join(replies, ""))
}

// made is how much memory the replies to a caller take that have not left.
func (c *caller) made() (bytes int) {
	conn := c.conn()
	if conn == nil {
		return 0
	}
	bytes = cap(conn.out) + conn.backlog.bytes + conn.rest.bytes()
	b := conn.batch
	if b == nil {
		return bytes
	}
	bytes += cap(b.out.Buf) + cap(b.hop.reply.Buf)
	for i := range b.parts {
		bytes += b.parts[i].reply.Len()
		for _, p := range b.parts[i].pieces {
			bytes += len(p.Bytes)
		}
	}
	return bytes
}

// Long strings stay where they are until the client takes them, however many
// of them one reply has and whichever shards they are on.
func TestLongStringsInOneReply(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	eachSeed(t, 8, func(t *testing.T, seed uint64, world *sim.World) {
		shards := 1 + int(seed%3)
		place := newTownIn(t, world, shards)
		c, other := place.dial().at(0), place.dial()
		keys, values := bigKeys(other, shards, 4)
		var all []string
		for _, k := range keys {
			all = append(all, bulk(values[k]))
		}
		c.Pause(true)
		last := keys[len(keys)-1]
		c.pipeline("mget "+strings.Join(keys, " "), "multi", "get "+keys[0], "getrange "+last+" 5 -6",
			"set "+keys[1]+" v get", "ping", "exec", "mget "+keys[1]+" none "+last, "echo x")
		most := 0
		for range 300 {
			place.turn()
			most = max(most, c.made())
		}
		c.Pause(false)
		want := []string{
			arrayOf(all...), "+OK\r\n", "+QUEUED\r\n", "+QUEUED\r\n", "+QUEUED\r\n", "+QUEUED\r\n",
			arrayOf(all[0], bulk(values[last][5:len(values[last])-5]), all[1], "+PONG\r\n"),
			arrayOf(bulk("v"), "$-1\r\n", all[len(all)-1]), bulk("x"),
		}
		for i, got := range c.next(len(want)) {
			most = max(most, c.made())
			if got != want[i] {
				t.Fatalf("reply %d: got %d bytes %.40q, want %d bytes %.40q", i, len(got), got, len(want[i]), want[i])
			}
		}
		if most > 600<<10 {
			t.Errorf("%d bytes were held for a client", most)
		}
		other.line("flushall")
		place.pass(1000)
		place.checkNoExtents()
	})
}

// When one reply passes the hard limit its client is closed, whether or not it
// reads, nothing of the reply is sent, and nothing that it asked for later is done.
// A transaction is done all the same.
func TestOneReplyBeyondTheLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	for name, test := range map[string]struct {
		lines []string
		want  string // what becomes of n
	}{
		"get":      {[]string{"get HUGE", "incr n"}, "$-1\r\n"},
		"getrange": {[]string{"getrange HUGE 10 -10", "incr n"}, "$-1\r\n"},
		"set get":  {[]string{"set HUGE v get", "incr n"}, "$-1\r\n"},
		"mget":     {[]string{"mget BIGS", "incr n"}, "$-1\r\n"},
		"mget of one shard": {
			[]string{"mget BIG BIG BIG BIG", "incr n"}, "$-1\r\n",
		},
		"keys": {[]string{"keys *", "incr n"}, "$-1\r\n"},
		"scan": {[]string{"scan 0 count 100000", "incr n"}, "$-1\r\n"},
		"exec": {[]string{"multi", "get BIG", "get BIG", "get BIG", "get BIG", "incr n", "exec", "incr n"}, bulk("1")},
		"echo": {[]string{"echo " + strings.Repeat("x", 2_000_000), "incr n"}, "$-1\r\n"},
	} {
		for shards := 1; shards <= 3; shards++ {
			t.Run(fmt.Sprintf("%s, shards=%d", name, shards), func(t *testing.T) {
				place := newTownIn(t, sim.New(1, sim.Mix{}), shards, "client-output-buffer-limit=normal 1500kb 0 0")
				c, other := place.dial(), place.dial()
				keys, _ := bigKeys(other, shards, 3)
				huge := keyOn(shards-1, shards, "huge")
				other.check([2]string{"set " + huge + " " + strings.Repeat("h", 1_600_000), "+OK\r\n"})
				for i := range 500 {
					other.check([2]string{fmt.Sprintf("set {%s}%d%s 1", keyOn(0, shards, "t"), i, strings.Repeat("k", 4000)), "+OK\r\n"})
				}
				c.line("ping")
				fill := strings.NewReplacer("BIGS", strings.Join(keys, " "), "BIG", keys[0], "HUGE", huge)
				var lines []string
				for _, line := range test.lines {
					lines = append(lines, fill.Replace(line))
				}
				c.pipeline(lines...)
				if got := c.ended(); strings.Contains(got, "$") || strings.Contains(got, "*") {
					t.Errorf("something came: %.40q", got)
				}
				other.check([2]string{"get n", test.want})
				if n := other.info("client_output_buffer_limit_disconnections"); n != 1 {
					t.Errorf("%d counted", n)
				}
				place.pass(500)
				if n := place.node.clientBytes(); n > 100_000 {
					t.Errorf("%d bytes are still charged", n)
				}
				other.line("flushall")
				place.pass(1000)
				place.checkNoExtents()
			})
		}
	}
}

// A relaxed pipeline makes no more replies than the client takes, and they are
// those of a strict one.
func TestRelaxedRepliesAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	eachSeed(t, 9, func(t *testing.T, seed uint64, world *sim.World) {
		shards := 2 + int(seed%3)
		place := newTownIn(t, world, shards, "pipeline-order=relaxed")
		c, other, d := place.dial().at(0), place.dial(), newDice(seed)
		keys, values := bigKeys(other, shards, 1)
		for shard := range shards {
			for _, size := range []int{1, 3000, 90_000, 200_000} {
				k := keyOn(shard, shards, fmt.Sprint("size", size))
				values[k] = longText(size)
				other.check([2]string{"set " + k + " " + values[k], "+OK\r\n"})
				keys = append(keys, k)
			}
		}
		var lines, want []string
		for i := range 800 {
			k := keys[d.below(len(keys))]
			lines, want = append(lines, "get "+k), append(want, bulk(values[k]))
			if i%50 == 0 {
				lines, want = append(lines, "strlen "+k, "ping"), append(want, fmt.Sprintf(":%d\r\n", len(values[k])), "+PONG\r\n")
			}
		}
		c.Pause(seed%2 == 0)
		c.pipeline(lines...)
		most := 0
		for range 500 {
			place.turn()
			most = max(most, c.made())
		}
		c.Pause(false)
		for i := range want {
			got := c.reply()
			most = max(most, c.made())
			if got != want[i] {
				t.Fatalf("reply %d: got %d bytes %.40q, want %d bytes %.40q", i, len(got), got, len(want[i]), want[i])
			}
		}
		if limit := (shards + 2) * (700 << 10); most > limit {
			t.Errorf("%d bytes were held for a client", most)
		}
		other.line("flushall")
		place.pass(1000)
		place.checkNoExtents()
	})
}

// A relaxed pipeline that waits to go on goes on after a pause, and a client of
// one that is closed leaves nothing behind.
func TestRelaxedRepliesAndThePause(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine runs all of it: the long run is enough")
	}
	eachSeed(t, 6, func(t *testing.T, seed uint64, world *sim.World) {
		place := newTownIn(t, world, 3, "pipeline-order=relaxed")
		c, other := place.dial().at(0), place.dial()
		var lines []string
		for i := range 300 {
			k := keyOn(i%3, 3, "k")
			if i < 3 {
				other.check([2]string{"set " + k + " " + longText(100<<10), "+OK\r\n"})
			}
			lines = append(lines, "append "+k+" x", "get "+k)
		}
		c.Pause(true)
		c.pipeline(lines...)
		place.pass(50)
		other.check([2]string{"client pause 3000 write", "+OK\r\n"})
		before := other.line("get " + keyOn(0, 3, "k"))
		c.Pause(false)
		place.pass(1000)
		c.pull()
		if after := other.line("get " + keyOn(0, 3, "k")); after != before {
			t.Error("something was written during a pause")
		}
		if seed%2 == 0 {
			c.Close()
		} else if got := c.next(600); len(got[599]) < 100<<10 {
			t.Errorf("the last reply is %.40q", got[599])
		}
		place.pass(4000)
		if n := place.node.clientBytes(); n > 100_000 {
			t.Errorf("%d bytes are still charged", n)
		}
	})
}

// What a monitor has yet to see counts as what it has left unread, also behind a
// long string that it does not take.
func TestMonitorBeyondTheLimit(t *testing.T) {
	for _, line := range []string{"ping", "get huge"} {
		t.Run(line, func(t *testing.T) {
			place := newTownIn(t, sim.New(1, sim.Mix{}), 2, "client-output-buffer-limit=normal 3mb 0 0")
			c, other := place.dial(), place.dial()
			other.check([2]string{"set huge " + longText(2<<20), "+OK\r\n"})
			c.line("monitor")
			c.Pause(true)
			c.pipeline(line)
			place.pass(50)
			text := strings.Repeat("x", 100_000)
			for i := 0; c.Err() == nil && i < 100; i++ {
				other.check([2]string{"echo " + text, bulk(text)})
			}
			place.pass(500)
			if n := other.info("client_output_buffer_limit_disconnections"); n != 1 {
				t.Errorf("%d counted", n)
			}
			if n := place.node.clientBytes(); n > 300_000 {
				t.Errorf("%d bytes are still charged", n)
			}
			other.line("flushall")
			place.pass(1000)
			place.checkNoExtents()
		})
	}
}
