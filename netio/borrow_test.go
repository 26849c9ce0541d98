package netio

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/env"
)

// What is few and brief is run on the shard of a loop that rests, without that loop. All else
// is left to its owner, and so is the shard of a loop that is up, or that another has.
func TestRestingShardIsBorrowed(t *testing.T) {
	key, mine := keyOn(1, 2, "k"), keyOn(0, 2, "m")
	many := strings.Split(strings.Repeat("set "+key+" v\n", mostBorrowed+1), "\n")[:mostBorrowed+1]
	for _, order := range []string{"strict", "relaxed"} {
		for _, row := range []struct {
			name     string
			posture  uint32
			lines    []string
			borrowed bool
		}{
			{"one", resting, []string{"set " + key + " v"}, true},
			{"some", resting, []string{"set " + key + " v", "get " + mine, "get " + key, "incr " + mine + "n", "exists " + key}, true},
			{"no more than that", resting, many[1:], true},
			{"one more", resting, many, false},
			{"not brief", resting, []string{"setrange " + key + " 0 v"}, false},
			{"its loop is up", up, []string{"set " + key + " v"}, false},
			{"another has it", lent, []string{"set " + key + " v"}, false},
			{"another has it, its loop waits", wanted, []string{"set " + key + " v"}, false},
		} {
			t.Run(order+", "+row.name, func(t *testing.T) {
				place := newTownIn(t, sim.New(3, sim.Mix{}), 2, "pipeline-order="+order)
				c := place.dial().at(0)
				posture := &place.node.loops[1].posture.state
				posture.Store(row.posture)
				c.pipeline(row.lines...)
				place.step(20, 0)
				got := c.arrived()
				if (len(got) == len(row.lines)) != row.borrowed {
					t.Errorf("answered without the owner: %q", got)
				}
				if posture.Load() != row.posture {
					t.Errorf("the posture is %d, was %d", posture.Load(), row.posture)
				}
				posture.Store(up)
				if got = append(got, c.next(len(row.lines)-len(got))...); strings.Contains(strings.Join(got, ""), "-ERR") {
					t.Errorf("replies %q", got)
				}
			})
		}
	}
}

// bell is a poller that only sleeps and wakes.
type bell struct {
	env.Poller
	rung chan struct{}
}

func (b *bell) Wake() {
	select {
	case b.rung <- struct{}{}:
	default:
	}
}

func (b *bell) Park(int64, bool) { <-b.rung }

// An owner and two that borrow its shard never have it at the same time, and nobody waits
// for ever. The race detector looks at what they count, too.
func TestBorrowersAreAlone(t *testing.T) {
	owner := &Loop{poller: &bell{rung: make(chan struct{}, 1)}}
	const times = 20_000
	var all sync.WaitGroup
	count := 0
	for range 2 {
		all.Go(func() {
			other, b := &Loop{}, &batch{}
			for left := times; left > 0; {
				if !other.borrow(owner, b, nil) {
					runtime.Gosched() // the owner or the other one has it
					continue
				}
				count++
				left--
				other.giveBack(owner)
			}
		})
	}
	for range times {
		owner.rest()
		runtime.Gosched()
		owner.rise()
		count++
	}
	owner.rest() // so that those who are not done find it
	all.Wait()
	if count != 3*times {
		t.Errorf("%d counted of %d", count, 3*times)
	}
}
