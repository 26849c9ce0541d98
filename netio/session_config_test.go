package netio

import (
	"strings"
	"testing"
)

// warnings counts the lines of the log that warn of a small maxmemory.
func (t *town) warnings() int {
	return strings.Count(t.log.String(), "maxmemory is smaller than what is in use")
}

// TestSmallMaxmemoryIsWarnedOf: as in Redis, a change to less than what is in
// use is worth a warning, the same value again is not.
func TestSmallMaxmemoryIsWarnedOf(t *testing.T) {
	eachSize(t, func(t *testing.T, shards int) {
		town := newTown(t, shards)
		c := town.dial()
		c.line("set k " + strings.Repeat("v", 2000))
		for _, step := range []struct {
			line string
			want int
		}{
			{"config set maxmemory 1gb", 0},
			{"config set maxmemory 1000", 1},
			{"config set maxmemory 1000", 1},
			{"config set maxclients 10", 1},
			{"config set maxclients 10 maxmemory 1001", 2},
			{"config set maxmemory 0", 2},
		} {
			if got := c.line(step.line); got != "+OK\r\n" {
				t.Errorf("%s: %s", step.line, got)
			}
			if got := town.warnings(); got != step.want {
				t.Errorf("%s: %d warnings, want %d", step.line, got, step.want)
			}
		}
	})
}

// TestSmallMaxmemoryIsWarnedOfAtStart: the moment that the node knows what it
// uses while it is empty.
func TestSmallMaxmemoryIsWarnedOfAtStart(t *testing.T) {
	for limit, want := range map[string]int{"2mb": 1, "100mb": 0} {
		town := newTown(t, 2, "maxmemory="+limit)
		town.node.about.HeapBytes = func() int64 { return 3 << 20 }
		if err := town.world.RunFor(2e9, town.actors...); err != nil {
			t.Fatal(err)
		}
		if got := town.warnings(); got != want {
			t.Errorf("maxmemory %s: %d warnings, want %d", limit, got, want)
		}
	}
}
