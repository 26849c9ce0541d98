package netio

import (
	"sync/atomic"

	"github.com/elares/ironcache/engine/command"
)

// A loop that waits for its sockets leaves its shard to whoever wants it: another
// loop may borrow the shard, run a few requests on it, and give it back, for less
// than it costs to wake the owner and to be woken by its answer.
//
//	up ──rest──► resting ──borrow──► lent ──give back──► resting
//	 ▲              │                  │ the owner wants to go on
//	 └────rise──────┘                  ▼
//	                                wanted ──give back, and wake──► resting
//
// Only its owner takes a posture from resting to up, and it looks at its shard in
// no other. Who borrows runs nothing else meanwhile and waits for nobody.
type posture struct {
	_     [64]byte
	state atomic.Uint32
	_     [60]byte
}

const (
	up uint32 = iota
	resting
	lent
	wanted
)

// mostBorrowed is how many requests are run on a borrowed shard at once: more are
// worth waking the owner, who runs them at the same time as others run theirs.
const mostBorrowed = 16

// rest lets others borrow the shard.
func (l *Loop) rest() { l.posture.state.Store(resting) }

// rise ends that, once nobody has the shard.
func (l *Loop) rise() {
	s := &l.posture.state
	for !s.CompareAndSwap(resting, up) {
		if s.CompareAndSwap(lent, wanted) {
			l.poller.Park(parkFor, true)
		}
	}
}

// borrow takes the shard of a loop that rests, to run the next operations of a batch
// on it: if they are few and brief, so that an owner who wakes does not wait. A shard
// that is short of memory is left to its owner, by whose turns it may evict.
func (l *Loop) borrow(owner *Loop, b *batch, ops []command.Op) bool {
	s := &owner.posture.state
	if s.Load() != resting || len(ops) > mostBorrowed || b.careful || b.region != nil {
		return false
	}
	for i := range ops {
		if row := &command.Table[ops[i].Row]; row.Flags&command.Fast == 0 && row.Many == nil {
			return false
		}
	}
	if !s.CompareAndSwap(resting, lent) {
		return false
	}
	if owner.shard.Short() {
		l.giveBack(owner)
		return false
	}
	owner.askAll(ops)
	return true
}

// giveBack ends a borrow.
func (l *Loop) giveBack(owner *Loop) {
	if owner.posture.state.Swap(resting) == wanted {
		owner.wake()
	}
}
