package raftlog

import (
	"testing"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// handClock is a clock that a test moves.
type handClock struct{ now int64 }

func (c *handClock) Wall() int64      { return c.now }
func (c *handClock) Monotonic() int64 { return c.now }
func (c *handClock) Boot() int64      { return c.now }

// ledger is a plane without a cluster: its state is changed by hand.
type ledger struct {
	*Plane
	t     *testing.T
	clock *handClock
	index uint64
}

func newLedger(t *testing.T) *ledger {
	clock := &handClock{now: 1e9}
	p := &Plane{world: env.World{Clock: clock}, lease: leasing{Lease: slots.DefaultLease}, moved: make(chan struct{})}
	p.leading = newLeading(p)
	p.view.Store(&View{Map: slots.NewMap()})
	l := &ledger{Plane: p, t: t, clock: clock}
	l.apply(&state.Form{Founders: []state.Founder{{
		ID: state.ID{1}, Address: state.Address{Host: "a", Port: 1, BusPort: 2, ReplicationPort: 3}, Incarnation: 1,
		Speaks: 1, Suffrage: state.Voter, Owns: []slots.Range{slots.All},
	}}})
	return l
}

// apply has an entry accepted now.
func (l *ledger) apply(e state.Entry) uint64 {
	l.t.Helper()
	data, err := state.Encode(e)
	if err != nil {
		l.t.Fatal(err)
	}
	l.index++
	if outcome, err := l.state.Apply(l.index, data); err != nil || outcome.Refused() {
		l.t.Fatal(outcome, err)
	}
	l.publish(l.index)
	return l.index
}

func (l *ledger) renewed(incarnation, sequence uint64) uint64 {
	return l.apply(&state.Renew{Requests: []state.Request{{Node: 1, By: state.Stamp{Incarnation: incarnation, Sequence: sequence}}}})
}

// The lease of a node's former process is waited out from when its last Renew
// was applied, although the node has been renewed since in its next life.
func TestFormerLeaseIsWaitedOut(t *testing.T) {
	l := newLedger(t)
	since, wait := l.clock.now, slots.DefaultLease.Wait()
	l.clock.now += 100e9
	former := l.renewed(1, 1)
	l.clock.now += 1e9
	l.apply(&state.Announce{Node: 1, By: state.Stamp{Incarnation: 2, Sequence: 1}, Speaks: 1,
		Address: state.Address{Host: "a", Port: 1, BusPort: 2, ReplicationPort: 3}})
	l.renewed(2, 2)
	if l.waitedOut(1, former, since) {
		t.Error("the lease of the former process is taken for over while it may run")
	}
	l.clock.now += wait - 1e9 - 1
	if l.waitedOut(1, former, since) {
		t.Error("the wait is too short")
	}
	if l.clock.now++; !l.waitedOut(1, former, since) {
		t.Error("the wait does not end")
	}
	if l.waitedOut(1, former, l.clock.now) {
		t.Error("a new leader does not wait from its own beginning")
	}
	if l.waitedOut(1, former+100, since) {
		t.Error("a renewal that was never seen is taken for waited out")
	}
}
