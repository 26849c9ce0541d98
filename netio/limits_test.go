package netio

import (
	"io"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/sim"
)

// info reads one figure of INFO.
func (c *caller) info(field string) int {
	c.town.tb.Helper()
	_, after, found := strings.Cut(c.line("info all"), "\r\n"+field+":")
	if !found {
		c.town.tb.Fatalf("INFO has no %s", field)
	}
	value, _, _ := strings.Cut(after, "\r\n")
	return atoi(value)
}

func TestMaxClients(t *testing.T) {
	eachSeed(t, 10, func(t *testing.T, seed uint64, _ *sim.World) {
		mix := sim.DrawMix(seed)
		mix.Reset, mix.ShortWrite, mix.Window = 0, 0, 0 // the words must fit at once
		place := newTownIn(t, sim.New(seed, mix), 1+int(seed%4), "maxclients=3")
		var callers []*caller
		for range 8 {
			callers = append(callers, place.dial())
		}
		place.pass(100)
		var served []*caller
		for _, c := range callers {
			switch got := c.arrived(); {
			case c.Err() == nil && len(got) == 0:
				served = append(served, c)
			case c.Err() != io.EOF || len(got) != 1 || got[0] != "-"+string(resp.ErrMaxClients)+"\r\n":
				t.Errorf("turned away with %q, %v", got, c.Err())
			}
		}
		if len(served) != 3 {
			t.Fatalf("%d are served", len(served))
		}
		if served[0].info("connected_clients") != 3 || served[0].info("rejected_connections") != 5 {
			t.Error("INFO counts otherwise")
		}
		served[1].Close()
		place.pass(100)
		c := place.dial()
		if got := c.line("ping"); got != "+PONG\r\n" {
			t.Errorf("in the place of one that left: %q", got)
		}
		c.line("config set maxclients 4")
		place.dial().check([2]string{"ping", "+PONG\r\n"})
	})
}

func TestProtectedMode(t *testing.T) {
	for _, test := range []struct {
		option, from, want string
	}{
		{"protected-mode=yes", "10.0.0.7:4000", "-" + string(resp.ErrProtected) + "\r\n"},
		{"protected-mode=yes", "127.0.0.1:4000", "+PONG\r\n"},
		{"protected-mode=no", "10.0.0.7:4000", "+PONG\r\n"},
		{"requirepass=x", "10.0.0.7:4000", "-NOAUTH Authentication required.\r\n"},
	} {
		c := newTownIn(t, sim.New(1, sim.Mix{}), 2, test.option).dialFrom(test.from)
		if got := c.line("ping"); got != test.want {
			t.Errorf("%s from %s: %q", test.option, test.from, got)
		}
		if test.want[:2] == "-D" && c.ended() != "" {
			t.Error("the connection stays")
		}
	}
}

// A client that is silent for too long is closed; one that asks, listens as a
// monitor, or is held back by the node itself is not.
func TestTimeout(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2, "timeout=5")
	idle, busy, monitor, held := place.dial(), place.dial(), place.dial(), place.dial()
	idle.line("ping")
	monitor.line("monitor")
	for i := range 12 {
		busy.line("ping")
		if i == 4 && idle.Err() != nil {
			t.Error("closed too early")
		}
		if i == 8 {
			if idle.Err() != io.EOF {
				t.Error("an idle client stays")
			}
			held.Close()
			held = place.dial()
			held.line("ping")
			busy.line("client pause 4000 write")
			held.ask("set", "x", "1")
		}
		place.pass(1000)
	}
	if got := held.reply(); got != "+OK\r\n" {
		t.Errorf("%q", got)
	}
	busy.line("ping")
	if monitor.Err() != nil {
		t.Error("the monitor was closed")
	}
}

// An unfinished request may grow up to the limit and no further; a pipeline of
// whole requests may be any length.
func TestQueryBufferLimit(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2, "client-query-buffer-limit=1mb")
	c := place.dial()
	c.Send([]byte("*3\r\n$3\r\nset\r\n$1\r\nk\r\n$900000\r\n"))
	c.Send([]byte(strings.Repeat("x", 900_000) + "\r\n"))
	if got := c.reply(); got != "+OK\r\n" {
		t.Errorf("%.40q", got)
	}
	c.Send([]byte(strings.Repeat("get none\r\n", 300_000)))
	for _, got := range c.next(300_000) {
		if got != "$-1\r\n" {
			t.Fatalf("%q", got)
		}
	}
	c.Send([]byte("*3\r\n$3\r\nset\r\n$1\r\nk\r\n$1500000\r\n"))
	c.Send([]byte(strings.Repeat("x", 1_500_000) + "\r\n"))
	if got := c.ended(); got != "" {
		t.Errorf("%.40q", got)
	}
	other := place.dial()
	if n := other.info("client_query_buffer_limit_disconnections"); n != 1 {
		t.Errorf("%d counted", n)
	}
	if n := place.node.clientBytes(); n > 100_000 {
		t.Errorf("%d bytes are still charged", n)
	}
}

// greedy is a node with a value of 100 KB, and a client that asks for it without
// reading, in one pipeline.
func greedy(t *testing.T, limit string, lines ...string) (*town, *caller) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2, "client-output-buffer-limit="+limit)
	c := place.dial().at(0)
	for _, home := range []int{0, 1} {
		c.line("set " + keyOn(home, 2, "big") + " " + strings.Repeat("x", 100_000))
	}
	c.Pause(true)
	c.pipeline(lines...)
	return place, c
}

// bigGets asks for big values in turn of each shard.
func bigGets(n int) (lines []string) {
	for i := range n {
		lines = append(lines, "get "+keyOn(i%2, 2, "big"))
	}
	return lines
}

// A client that does not read what it asks for is closed at the hard limit, in
// the middle of its pipeline or transaction, and no more than that is buffered.
func TestOutputHardLimit(t *testing.T) {
	for name, lines := range map[string][]string{
		"pipeline": bigGets(200),
		"local":    append(bigGets(1), strings.Split(strings.Repeat("get "+keyOn(0, 2, "big")+";", 199), ";")[:199]...),
		"multi":    append(append([]string{"multi"}, bigGets(200)...), "exec"),
	} {
		t.Run(name, func(t *testing.T) {
			place, c := greedy(t, "normal 1mb 0 0", lines...)
			conn, most := c.conn(), 0
			place.until("the end of the connection", func() bool {
				most = max(most, cap(conn.out))
				if conn.batch != nil {
					most = max(most, cap(conn.out)+conn.batch.out.Len())
				}
				return conn.closed
			})
			if most > 3<<20 {
				t.Errorf("%d bytes were buffered", most)
			}
			other := place.dial()
			if n := other.info("client_output_buffer_limit_disconnections"); n != 1 {
				t.Errorf("%d counted", n)
			}
			place.pass(200)
			if n := place.node.clientBytes(); n > 100_000 {
				t.Errorf("%d bytes are still charged", n)
			}
		})
	}
}

// Whoever reads gets any amount.
func TestOutputLimitSparesReaders(t *testing.T) {
	place, c := greedy(t, "normal 1mb 100kb 1")
	c.Pause(false)
	for range 40 {
		c.pipeline(bigGets(5)...)
		for _, got := range c.next(5) {
			if len(got) != 100_011 {
				t.Fatalf("%.40q", got)
			}
		}
	}
	if n := place.dial().info("client_output_buffer_limit_disconnections"); n != 0 {
		t.Errorf("%d were closed", n)
	}
}

// Above the soft limit a client has its time to read, whether or not more is
// written to it meanwhile.
func TestOutputSoftLimit(t *testing.T) {
	place, c := greedy(t, "normal 0 200kb 3", bigGets(8)...)
	place.pass(2500)
	if c.conn() == nil {
		t.Fatal("closed too early")
	}
	place.pass(1500)
	if c.conn() != nil {
		t.Error("a client that does not read stays")
	}

	place, c = greedy(t, "normal 0 200kb 3", bigGets(8)...)
	place.pass(2500)
	c.Pause(false)
	c.next(8)
	c.Pause(true)
	place.pass(2500)
	c.pipeline(bigGets(8)...)
	place.pass(1500)
	c.Pause(false)
	c.next(8)
	if got := c.line("ping"); got != "+PONG\r\n" {
		t.Errorf("%q", got)
	}
}

// When the buffers of all clients pass their limit, the largest goes first, and
// one that may not be evicted stays.
func TestMaxMemoryClients(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2)
	chief := place.dial()
	chief.line("set big " + strings.Repeat("x", 100_000))
	hoard := func(n int, more ...string) *caller {
		c := place.dial()
		for _, line := range more {
			c.line(line)
		}
		c.Pause(true)
		c.pipeline(strings.Split(strings.Repeat("get big;", n), ";")[:n]...)
		return c
	}
	small, large, largest := hoard(5), hoard(20), hoard(40, "client no-evict on")
	place.pass(300)
	for i, c := range []*caller{small, large, largest} {
		if c.Err() != nil {
			t.Fatalf("client %d was closed without a limit", i)
		}
	}
	chief.line("config set maxmemory-clients 6mb")
	place.pass(2000)
	for _, c := range []*caller{small, large, largest} {
		c.Pause(false)
	}
	place.pass(100)
	if small.Err() != nil || large.Err() == nil || largest.Err() != nil {
		t.Errorf("closed: %v, %v, %v", small.Err(), large.Err(), largest.Err())
	}
	if n := chief.info("evicted_clients"); n != 1 {
		t.Errorf("%d counted", n)
	}
}

// stopping is a loop that closes what it holds when it has ended, as Run does.
type stopping struct {
	*Loop
	shut bool
}

func (s *stopping) Step(block bool) bool {
	if s.shut || s.Loop.Step(block) {
		return !s.shut
	}
	s.Loop.shut()
	s.shut = true
	return false
}

// However a node is stopped, with all connections busy, every loop ends, every
// connection closes, and nothing runs after it.
func TestStop(t *testing.T) {
	for name, stop := range map[string]func(place *town, c *caller){
		"SHUTDOWN":       func(place *town, c *caller) { c.pipeline("shutdown nosave", "set late 1") },
		"two SHUTDOWNs":  func(place *town, c *caller) { c.pipeline("shutdown"); place.dial().pipeline("shutdown") },
		"Stop":           func(place *town, c *caller) { place.node.Stop() },
		"Stop twice":     func(place *town, c *caller) { place.node.Stop(); place.node.Stop() },
		"both":           func(place *town, c *caller) { place.node.Stop(); c.pipeline("shutdown") },
		"while paused":   func(place *town, c *caller) { c.line("client pause 100 write"); place.node.Stop() },
		"among barriers": func(place *town, c *caller) { c.pipeline("mset a 1 b 2", "mset a 1 b 2", "shutdown") },
	} {
		t.Run(name, func(t *testing.T) {
			eachSeed(t, 8, func(t *testing.T, seed uint64, world *sim.World) {
				stopBusy(t, seed, newTownIn(t, world, 1+int(seed%4)), stop)
			})
		})
	}
}

func stopBusy(t *testing.T, seed uint64, place *town, stop func(place *town, c *caller)) {
	d := newDice(seed)
	shards := len(place.node.loops)
	for i, l := range place.node.loops {
		place.actors[i] = &stopping{Loop: l}
	}
	chief := place.dial()
	chief.line("ping")
	var busy []*caller
	for range 5 {
		c := place.dial()
		for range 200 {
			c.pipeline("incr "+keyOn(d.below(shards), shards, "n"), "mget a b c d", "multi", "incr a", "incr b", "exec")
		}
		busy = append(busy, c)
	}
	for range d.below(20) {
		place.turn()
	}
	stop(place, chief)
	place.until("the end", func() bool {
		for _, l := range place.node.loops {
			if !l.ended {
				return false
			}
		}
		return true
	})
	calls := place.total(func(l *Loop) int64 { return int64(l.shard.Calls()) })
	if err := place.world.Run(func() bool { return false }, place.actors...); err != sim.ErrIdle {
		t.Errorf("loops go on: %v", err)
	}
	if after := place.total(func(l *Loop) int64 { return int64(l.shard.Calls()) }); after > calls {
		t.Errorf("%d commands ran after the end", after-calls)
	}
	for i, c := range append(busy, chief) {
		if c.Err() == nil {
			t.Errorf("connection %d is open", i)
		}
	}
	if n := place.node.clientBytes(); n != 0 {
		t.Errorf("%d bytes are still charged", n)
	}
}
