package netio

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// seen are the requests that a monitor was shown since the last call, without
// times: "[db address] words".
func (c *caller) seen(t *testing.T) (list []string) {
	t.Helper()
	c.town.pass(20)
	for _, line := range c.arrived() {
		parts := monitorForm.FindStringSubmatch(line)
		if parts == nil {
			t.Fatalf("%q is no line of a monitor", line)
		}
		list = append(list, strings.ReplaceAll(parts[1], "127.0.0.1", "it"))
	}
	return list
}

var monitorForm = regexp.MustCompile(`^\+17385\d{5}\.\d{6} (\[\d+ [^\]]+\] .*)\r\n$`)

// A monitor sees what clients of all loops ask, and neither passwords nor what
// was never run. The lines are redis-server's.
func TestMonitorShowsRequests(t *testing.T) {
	for loop := range 2 {
		place := newTownIn(t, sim.New(1, sim.Mix{}), 2)
		monitor := place.dial().at(loop)
		c := place.dial().at(1)
		address := strings.ReplaceAll(c.conn().peer.Remote, "127.0.0.1", "it")
		monitor.pipeline("monitor", "monitor", "ping") // the second one goes unanswered
		monitor.next(2)
		monitor.seen(t)
		c.pipeline("auth foo", "hello 3 auth default x setname bob", "hello 2", "set k v", "mset a 1 b 2 c 3", "get k",
			"multi", "set k w", "get k", "exec", "multi", "get k", "discard", "get", "nosuch a", "client list",
			"config get port", "select 3", "set a b")
		c.next(19)
		c.Send([]byte("get \"a b\\x01\\n\\\"\"\r\n"))
		c.next(1)
		var want []string
		for _, line := range []string{
			`0 "auth" "(redacted)"`, `0 "hello" "3" "auth" "(redacted)" "(redacted)" "setname" "bob"`, `0 "hello" "2"`,
			`0 "set" "k" "v"`, `0 "mset" "a" "1" "b" "2" "c" "3"`, `0 "get" "k"`,
			`0 "multi"`, `0 "set" "k" "w"`, `0 "get" "k"`, `0 "exec"`, `0 "multi"`, `0 "discard"`,
			`3 "select" "3"`, `3 "set" "a" "b"`, `3 "get" "a b\x01\n\""`,
		} {
			db, words, _ := strings.Cut(line, " ")
			want = append(want, "["+db+" "+address+"] "+words)
		}
		if got := monitor.seen(t); !slices.Equal(got, want) {
			t.Errorf("loop %d:\n%s\nwant\n%s", loop, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// While a monitor waits for another loop, what it is shown comes after the
// replies that it has earned already.
func TestMonitorLinesFollowTheRepliesBeforeThem(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2)
	monitor, c := place.dial().at(0), place.dial().at(0)
	monitor.pipeline("echo first", "monitor", "get "+keyOn(1, 2, "k"), "echo last")
	place.step(1, 0)
	c.ask("get", keyOn(0, 2, "k"))
	place.step(1, 0)
	place.pass(20)
	got := monitor.arrived()
	if len(got) < 4 || got[0] != "$5\r\nfirst\r\n" || got[1] != "+OK\r\n" {
		t.Errorf("%q", got)
	}
}

// The same with a reply that is not wanted: what came before it stays.
func TestMonitorLinesBesideSilencedReplies(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2)
	monitor, c := place.dial().at(0), place.dial().at(0)
	monitor.line("monitor")
	monitor.pipeline("echo first", "client reply skip", "get "+keyOn(1, 2, "k"), "echo last")
	place.step(1, 0)
	c.ask("get", keyOn(0, 2, "k"))
	place.step(1, 0)
	place.pass(20)
	var replies []string
	for _, line := range monitor.arrived() {
		if line[0] != '+' {
			replies = append(replies, line)
		}
	}
	if !slices.Equal(replies, []string{"$5\r\nfirst\r\n", "$4\r\nlast\r\n"}) {
		t.Errorf("%q", replies)
	}
}

// When the last monitor leaves, requests take the short way again.
func TestNobodyPaysForAMonitorThatLeft(t *testing.T) {
	for name, leave := range map[string]func(c *caller){
		"quit":  func(c *caller) { c.ask("quit") },
		"reset": func(c *caller) { c.ask("reset") },
		"close": func(c *caller) { c.Close() },
	} {
		place := newTownIn(t, sim.New(1, sim.Mix{}), 2)
		a, b := place.dial().at(0), place.dial().at(1)
		a.line("monitor")
		b.line("monitor")
		leave(a)
		place.pass(20)
		b.seen(t)
		place.dial().line("get x")
		if got := b.seen(t); len(got) != 1 {
			t.Errorf("%s: the other monitor saw %q", name, got)
		}
		leave(b)
		place.pass(300)
		for _, l := range place.node.loops {
			if l.care != 0 {
				t.Errorf("%s: loop %d still looks closely", name, l.id)
			}
		}
	}
}

// Neither does the slow log hold a password.
func TestSlowLogHidesPasswords(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2, "slowlog-log-slower-than=0", "requirepass=hush")
	c := place.dial()
	c.Send([]byte("auth hush\r\nhello 2 setname x auth default hush\r\nconfig set maxmemory 0 requirepass hushhush\r\n" +
		"multi\r\nauth default hushhush\r\nexec\r\nslowlog get 100\r\n"))
	if log := c.next(7)[6]; strings.Contains(log, "hush") || strings.Count(log, "(redacted)") != 6 {
		t.Errorf("%q", log)
	}
}

// A client that breaks off as it becomes a monitor harms nobody.
func TestMonitorBreaksOffAtOnce(t *testing.T) {
	eachSeed(t, 20, func(t *testing.T, seed uint64, world *sim.World) {
		place := newTownIn(t, world, 1+int(seed%3))
		other := place.dial()
		for range 10 {
			c := place.dial()
			c.pipeline("get a", "monitor", "get b", "mget a b c")
			for range newDice(seed).below(6) {
				place.turn()
			}
			c.Reset()
			other.check([2]string{"get x", "$-1\r\n"})
		}
		other.Close()
		place.pass(100)
		place.balanced(t)
	})
}
