package netio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
)

// byHops has every loop send messages to the others, however scattered the
// keys of a pipeline are.
func (t *town) byHops() {
	for _, l := range t.node.loops {
		l.muster.hopOps = 0
	}
}

// barriers counts those that were raised so far.
func (t *town) barriers() uint64 { return t.node.barriers.tail.Load() }

// inTurn makes a pipeline of requests, each on the next shard, every third of
// them a write, and what is to be answered.
func inTurn(shards, count int) (lines, want []string) {
	for i := range count {
		key := keyOn(i%shards, shards, fmt.Sprintf("k%d", i))
		if i%3 == 0 {
			lines, want = append(lines, "set "+key+" v"), append(want, "+OK\r\n")
			continue
		}
		lines, want = append(lines, "exists "+key), append(want, ":0\r\n")
	}
	return lines, want
}

// A pipeline that changes shards all the time is run at one barrier, where that
// costs less than the messages; a pipeline of few changes, or with many loops
// that would stand still for it, needs none.
func TestScatteredPipelineRunsAtOneBarrier(t *testing.T) {
	for _, row := range []struct {
		shards, count int
		barriers      uint64
	}{{1, 64, 0}, {2, 64, 1}, {2, 5, 0}, {4, 64, 1}, {8, 64, 1}, {9, 64, 0}, {32, 64, 0}} {
		t.Run(fmt.Sprintf("%d requests, %d shards", row.count, row.shards), func(t *testing.T) {
			place := newTownIn(t, sim.New(3, sim.Mix{}), row.shards)
			c := place.dial().at(0)
			before := place.barriers()
			lines, want := inTurn(row.shards, row.count)
			c.pipeline(lines...)
			if got := c.next(row.count); strings.Join(got, "") != strings.Join(want, "") {
				t.Errorf("replies %q, want %q", got, want)
			}
			if n := place.barriers() - before; n != row.barriers {
				t.Errorf("%d barriers, want %d", n, row.barriers)
			}
		})
	}
}

// Pipelines of several connections that arrive together share a barrier.
func TestScatteredPipelinesShareABarrier(t *testing.T) {
	place := newTownIn(t, sim.New(3, sim.Mix{}), 2)
	var callers []*caller
	for range 12 {
		c := place.dial().at(0)
		callers = append(callers, c)
	}
	lines, want := inTurn(2, 64)
	before := place.barriers()
	for _, c := range callers {
		c.pipeline(lines...)
	}
	for i, c := range callers {
		if got := c.next(64); i == 0 && strings.Join(got, "") != strings.Join(want, "") {
			t.Errorf("replies %q", got)
		}
	}
	if n := place.barriers() - before; n == 0 || n > 4 {
		t.Errorf("%d barriers for %d pipelines", n, len(callers))
	}
}

// However long requests take, the other loops stand still for a bounded time:
// a pipeline is then run at several barriers.
func TestSlowScatteredRequestsTakeSeveralBarriers(t *testing.T) {
	const reading = musterFor / 8 // two a request
	place := newTownIn(t, sim.New(3, sim.Mix{Tick: reading}), 2)
	c := place.dial().at(0)
	before := place.barriers()
	lines, want := inTurn(2, 64)
	c.pipeline(lines...)
	if got := c.next(64); strings.Join(got, "") != strings.Join(want, "") {
		t.Errorf("replies %q, want %q", got, want)
	}
	if n := place.barriers() - before; n < 8 {
		t.Errorf("%d barriers", n)
	}
}
