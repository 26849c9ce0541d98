package netio

import (
	"strings"
	"testing"

	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/sim"
)

func TestMemoryStats(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		c := newTown(t, shards, debugOn).dial()
		if got := c.line("memory stats"); strings.Contains(got, "db.") || !strings.HasPrefix(got, "*54\r\n") {
			t.Errorf("empty: %q", got)
		}
		for _, line := range []string{"debug populate 1000", "select 3", "debug populate 500", "hello 3"} {
			c.line(line)
		}
		got := c.line("memory stats")
		if !strings.HasPrefix(got, "%29\r\n$14\r\npeak.allocated\r\n") {
			t.Errorf("%q", got)
		}
		if !strings.Contains(got, "$4\r\ndb.3\r\n%3\r\n$23\r\noverhead.hashtable.main\r\n") || !strings.Contains(got, "$10\r\nkeys.count\r\n:1500\r\n") {
			t.Errorf("%q", got)
		}
	})
}

func TestMemoryDoctor(t *testing.T) {
	town := newTown(t, 2, debugOn)
	c := town.dial()
	if got := c.line("memory doctor"); !strings.Contains(got, "holds very little") {
		t.Errorf("empty: %q", got)
	}
	c.line("debug populate 2000 key 5000")
	if got := c.line("memory doctor"); !strings.Contains(got, "Nothing") {
		t.Errorf("healthy: %q", got)
	}
	town.node.peak *= 10
	if got := c.line("memory doctor"); !strings.Contains(got, "1 remarkable") || !strings.Contains(got, "Peak memory") {
		t.Errorf("after a peak: %q", got)
	}
}

func TestMemoryPurge(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		town := newTownWith(t, sim.New(1, sim.Mix{}), shards, keyspace.Options{Spare: 8 << 20}, debugOn)
		town.node.pauseCron = true // or what is spare would age
		c := town.dial()
		c.line("debug populate 20000 key 400")
		long := strings.Repeat("v", 3<<20)
		for i := range shards {
			k := keyOn(i, shards, "long")
			c.check([2]string{"set " + k + " " + long, "+OK\r\n"}, [2]string{"del " + k, ":1\r\n"})
		}
		reserved := func() (sum int64) {
			for _, s := range town.node.stores {
				sum += s.Stats().Reserved
			}
			return sum
		}
		before := reserved()
		if before < int64(shards)*3<<20 {
			t.Errorf("%d bytes held, long values included", before)
		}
		c.line("flushall")
		c.check([2]string{"memory purge", "+OK\r\n"})
		if err := town.world.RunFor(2e9, town.actors...); err != nil {
			t.Fatal(err)
		}
		if after := reserved(); after > 4<<20 {
			t.Errorf("%d bytes held before, %d after", before, after)
		}
		if got := c.line("memory malloc-stats"); strings.Count(got, "\n") != shards+4 {
			t.Errorf("%q", got)
		}
	})
}
