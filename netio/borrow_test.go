package netio

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elares/ironcache/engine/command"
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
			monitors int64
			borrowed bool
		}{
			{"one", resting, []string{"set " + key + " v"}, 0, true},
			{"some", resting, []string{"set " + key + " v", "get " + mine, "get " + key, "incr " + mine + "n", "exists " + key}, 0, true},
			{"no more than that", resting, many[1:], 0, true},
			{"one more", resting, many, 0, false},
			{"not brief", resting, []string{"setrange " + key + " 0 v"}, 0, false},
			{"one by one", resting, []string{"set " + key + " v"}, 1, false},
			{"in a region", resting, []string{"set " + key + " " + longText(leastRegion)}, 0, false},
			{"its loop is up", up, []string{"set " + key + " v"}, 0, false},
			{"another has it", lent, []string{"set " + key + " v"}, 0, false},
			{"another has it, its loop waits", wanted, []string{"set " + key + " v"}, 0, false},
		} {
			t.Run(order+", "+row.name, func(t *testing.T) {
				place := newTownIn(t, sim.New(3, sim.Mix{}), 2, "pipeline-order="+order)
				c := place.dial().at(0)
				place.node.monitors.Store(row.monitors)
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

// A shard that is short of memory is left to its owner: it may evict for so long in a turn of
// its owner, and whoever has used that up would try again and again until the owner wakes.
func TestShortShardIsNotBorrowed(t *testing.T) {
	place := crowd(t, 2)
	c, owner := place.dial().at(0), place.node.loops[1]
	owner.posture.state.Store(resting)
	line := "set " + keyOn(1, 2, "k") + "%d " + strings.Repeat("v", 1000)
	answered := 1
	for i := 0; answered == 1 && i < 1000; i++ {
		c.pipeline(fmt.Sprintf(line, i))
		place.step(20, 0)
		answered = len(c.arrived())
	}
	if answered != 0 || owner.inboxEmpty() {
		t.Errorf("%d answered; the owner was asked: %v", answered, !owner.inboxEmpty())
	}
	owner.posture.state.Store(up)
	c.next(1 - answered)
}

// bell is a poller that only sleeps and wakes.
type bell struct {
	env.Poller
	rung chan struct{}
	park func() // what happens meanwhile; nil: nothing but a ring ends the sleep
	woke atomic.Int32
}

func (b *bell) Wake() {
	b.woke.Add(1)
	select {
	case b.rung <- struct{}{}:
	default:
	}
}

func (b *bell) Park(timeout int64, _ bool) {
	if b.park != nil {
		b.park()
		return
	}
	select {
	case <-b.rung:
	case <-time.After(time.Duration(timeout)):
	}
}

// An owner goes on when nobody has its shard any more, and is woken for that, each time.
func TestOwnerWaitsForItsShard(t *testing.T) {
	poller := &bell{rung: make(chan struct{}, 1)}
	owner := &Loop{poller: poller, shard: newTownIn(t, sim.New(3, sim.Mix{}), 1).node.loops[0].shard}
	other, b := &Loop{}, &batch{}
	times := 0
	poller.park = func() {
		times++
		if got := owner.posture.state.Load(); got != wanted || other.borrow(owner, b, nil) {
			t.Errorf("the posture is %d, and the shard borrowed, while its owner waits", got)
		}
		other.giveBack(owner)
		if times < 3 && !other.borrow(owner, b, nil) { // before the owner is awake
			t.Error("what was given back is not borrowed again")
		}
	}
	owner.rest()
	if !other.borrow(owner, b, nil) {
		t.Fatal("a shard at rest is not borrowed")
	}
	owner.rise()
	if got := owner.posture.state.Load(); got != up || times != 3 || poller.woke.Load() != 3 {
		t.Errorf("the posture is %d after %d sleeps and %d wake-ups", got, times, poller.woke.Load())
	}
}

// An owner and two that borrow its shard never have it at the same time, while it goes from
// one to the other often. The race detector looks at who had it last, too.
func TestBorrowersAreAlone(t *testing.T) {
	owner := &Loop{poller: &bell{rung: make(chan struct{}, 1)}, shard: newTownIn(t, sim.New(3, sim.Mix{}), 1).node.loops[0].shard}
	const often, most = 10_000, 2 * time.Second
	var inside, together, passed, gone atomic.Int32
	last := 0
	have := func(who int) {
		if inside.Add(1) != 1 {
			together.Add(1)
		}
		if who != last {
			passed.Add(1)
		}
		last = who
		inside.Add(-1)
	}
	var all sync.WaitGroup
	end := time.Now().Add(most)
	for who := range 2 {
		all.Go(func() {
			defer gone.Add(1)
			other, b, ops := &Loop{}, &batch{}, make([]command.Op, mostBorrowed)
			for i := range ops {
				ops[i].Row = command.Named([]byte("get")).ID
			}
			for passed.Load() < often && time.Now().Before(end) {
				if other.borrow(owner, b, ops) {
					have(1 + who)
					other.giveBack(owner)
				}
			}
		})
	}
	for gone.Load() < 2 {
		owner.rest()
		time.Sleep(10 * time.Microsecond) // or it would keep the others from a core
		owner.rise()
		have(0)
	}
	all.Wait()
	if together.Load() > 0 {
		t.Errorf("%d times two had the shard, which went from one to another %d times", together.Load(), passed.Load())
	}
}
