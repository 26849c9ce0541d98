package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// The slow log tells who asked, whichever loop ran the command.
func TestSlowLogNamesTheClient(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2, "slowlog-log-slower-than=0")
	other, c := place.dial().at(0), place.dial().at(1)
	who := c.conn().peer.Remote
	for i, line := range []string{
		"get " + keyOn(0, 2, "k"), "get " + keyOn(1, 2, "k"), "mget a b c", "ping", "dbsize", "client id",
	} {
		other.line("ping")
		c.line("client setname " + fmt.Sprint("me", i))
		c.line("slowlog reset")
		c.line(line)
		want := fmt.Sprintf("$%d\r\n%s\r\n$3\r\nme%d\r\n", len(who), who, i)
		if got := c.line("slowlog get"); !strings.Contains(got, strings.Fields(line)[0]) || strings.Count(got, want) != strings.Count(got, who) {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// Commands of a transaction are logged one by one.
func TestSlowLogOfATransaction(t *testing.T) {
	place := newTownIn(t, sim.New(1, sim.Mix{}), 2, "slowlog-log-slower-than=0")
	c := place.dial()
	c.pipeline("slowlog reset", "multi", "set a 1", "set b 2", "exec", "slowlog len")
	if got := c.next(6)[5]; got != ":4\r\n" {
		t.Errorf("%q", got)
	}
}
