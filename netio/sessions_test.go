package netio

import (
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/command"
)

func TestEverySessionRowHasAFunction(t *testing.T) {
	known := map[string]bool{}
	for _, s := range sessionTable {
		known[s.name] = true
		row := command.Named([]byte(s.name))
		switch {
		case row == nil:
			t.Errorf("%s is no command", s.name)
		case row.Do != nil:
			t.Errorf("%s has two functions", s.name)
		case s.do == nil && s.name != "exec":
			t.Errorf("%s has no function", s.name)
		}
	}
	for i := range command.Table {
		row := &command.Table[i]
		runs := row.Subs == 0 || row.ArityFits(1)
		if row.Do == nil && runs && !known[row.Name] {
			t.Errorf("%s has no row in sessionTable", row.Name)
		}
	}
}

func TestSessionTablesAreSorted(t *testing.T) {
	var sessions, debugs []string
	for _, s := range sessionTable {
		sessions = append(sessions, s.name)
	}
	for _, d := range debugTable {
		debugs = append(debugs, d.name)
	}
	for _, names := range [][]string{sessions, debugs} {
		if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Errorf("not sorted, or not without doubles: %q", names)
		}
	}
}

func TestClusterIsOff(t *testing.T) {
	c := newTown(t, 1).dial()
	for _, line := range []string{"cluster info", "cluster help", "CLUSTER KEYSLOT k", "cluster slots"} {
		if got := c.line(line); got != "-ERR This instance has cluster support disabled\r\n" {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func TestErrorsOfSessionsAreCounted(t *testing.T) {
	c := newTown(t, 2).dial()
	for _, line := range []string{"select x", "nosuch", "client nosuch", "echo", "exec", "multi", "nosuch", "exec"} {
		c.line(line)
	}
	c.check([2]string{"info errorstats", "$66\r\n# Errorstats\r\nerrorstat_ERR:count=6\r\nerrorstat_EXECABORT:count=1\r\n\r\n"})
}

func TestRowsThatNeedNoShard(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newTown(t, shards).dial()
		c.check([2]string{"watch a b c", "+OK\r\n"}, [2]string{"unwatch", "+OK\r\n"})
		if got := c.line("object help"); got[0] != '*' {
			t.Errorf("%q", got)
		}
	})
}

// CLIENT LIST names the last command, also one that was refused.
func TestLastCommandOfAClient(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		town := newTown(t, shards)
		watched, other := town.dial(), town.dial()
		for _, c := range [][2]string{
			{"client setname zed", "client|setname"}, {"nosuch", "NULL"}, {"get", "get"}, {"client nosuch", "NULL"},
			{"mget a b c", "mget"}, {"client getname x", "client|getname"}, {"exec x", "exec"}, {"exec", "exec"},
		} {
			watched.line(c[0])
			_, zed, _ := strings.Cut(other.line("client list"), "name=zed ")
			if !strings.Contains(strings.Split(zed, "\n")[0], " cmd="+c[1]+" ") {
				t.Errorf("after %q: %s", c[0], zed)
			}
		}
	})
}
