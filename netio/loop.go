package netio

import (
	"slices"
	"sync/atomic"

	"github.com/elares/ironcache/engine"
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/resp"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/sparing"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// Loop is one core's event loop. It alone touches its shard and its
// connections, save while it stands still at a barrier.
type Loop struct {
	id     int
	node   *Node
	poller env.Poller
	clock  env.Clock
	shard  *engine.Shard
	cfg    *config.Values // as of this Step

	conns     []*Conn // by their number at the poller
	listeners []env.Conn
	own       []env.Conn // those of them at this loop's own port
	events    []env.Event
	ready     []*Conn  // to be resumed in this Step
	resuming  []*Conn  // empty, to be the next ready
	batches   []*batch // idle
	unsent    []*Conn  // with replies to send in this Step
	outs      [][]byte // idle buffers for replies
	clients   atomic.Int64

	inbox    []*ring             // from each other loop
	overflow [][]*message        // to each other loop, when its ring is full
	mailBox  [mailAhead]*message // see askMail
	mailAt   [mailAhead + 1]int
	mailOps  []command.Op
	touched  shardSet // loops to wake

	passed           atomic.Uint64 // barriers taken from the node's log
	arrived          bool          // at barrier number passed
	barrier          *barrier      // this loop's own, not yet released
	barrierPublished bool
	spent            *barrier // released, maybe not yet passed by all
	linger           linger
	muster           muster

	care         care // node-wide reasons, as of this Step
	relaxed      bool
	posture      posture
	clientLimits resp.Limits
	guestLimits  resp.Limits
	keys         []command.KeyRef // scratch of routing
	request      Request          // of the session function that runs
	waiting      []*Conn          // held back by a pause
	acting       *Conn            // whose commands the shard runs, or ran last

	mono int64 // monotonic nanoseconds as of the last look

	posted   postbox
	view     *raftlog.View // of the cluster, as of the last look; nil outside of one
	boot     int64         // nanoseconds of the clock that leases are counted by, likewise
	dropping []uint16      // slots of this shard whose keys are being dropped
	// With cluster-require-full-coverage: the map that was looked at, what came
	// of that, and whether all slots are served as of this Step.
	surveyed *slots.Map
	covered  bool
	owners   []slots.Node
	whole    bool
	timers
	meter stallMeter
	stats loopStats
	told  told
}

// told is what a loop's log has been told of, of what happens to many connections.
type told struct {
	unaccepted sparing.Kind // the system did not give one: without descriptors the loop tries over and over
	fenced     sparing.Kind // replies to a client were dropped
	http       sparing.Kind // a client does not speak our protocol
}

// maxEvents is how many connections one Step looks at.
const maxEvents = 256

// Step takes one turn: barriers, messages, sockets, timers. With block it
// waits for something to do, at most until the next timer; else it returns at
// once. It reports false when the loop has ended.
func (l *Loop) Step(block bool) bool {
	if !l.stand(block) {
		return true
	}
	if l.ended {
		return false
	}
	l.mono = l.clock.Monotonic() // not before: a coordinator may look at it
	l.lookAtCluster()
	l.enterStall()
	l.drain()
	l.resumeReady()
	if l.free() {
		l.turn(block)
	}
	l.raiseMuster()
	l.sendAll()
	l.wakeTouched()
	l.leaveStall()
	return !l.ended
}

// look refreshes what a Step reads of the clock and the configuration. While a
// loop stands still, that is the coordinator's.
func (l *Loop) look() {
	l.mono = l.clock.Monotonic()
	if cfg := l.node.values.Load(); cfg != l.cfg {
		l.configure(cfg)
	}
	l.lookAtCluster()
	l.heed()
}

// stand passes barriers, and waits at one that holds the loop. It reports
// whether the loop may go on.
func (l *Loop) stand(block bool) bool {
	l.publishBarrier()
	if l.passBarriers() && (l.barrier == nil || l.ended) {
		return true
	}
	l.wakeTouched()
	l.awake = 0
	if block {
		l.park()
	}
	return false
}

// free tells that nothing obliges the loop to stand still or to end.
func (l *Loop) free() bool { return l.barrier == nil && !l.barriersWait() && !l.ended }

// turn waits for the sockets and serves them, then the timers.
func (l *Loop) turn(block bool) {
	patience := l.patience(block)
	l.endStall()
	if patience > 0 {
		l.rest()
	}
	n, err := l.poller.Wait(l.events, patience)
	if patience > 0 {
		l.rise()
	}
	if err != nil {
		l.node.log.Error("netio: wait for connections", "loop", l.id, "err", err)
	}
	l.look()
	l.shard.Turn()
	l.beginStall()
	l.busy = n > 0
	for i := 0; i < n && l.free(); i++ {
		l.event(l.events[i])
		if len(l.unsent) >= sendEvery {
			l.sendAll()
		}
	}
	if l.free() {
		l.runTimers()
	}
}

// patience is how long Wait may take, in nanoseconds.
func (l *Loop) patience(block bool) int64 {
	if !block || len(l.ready) > 0 || len(l.muster.conns) > 0 || !l.spill() {
		return 0
	}
	l.sendAll() // of answers that came from other loops: nobody waits for the next timer
	l.wakeTouched()
	if !l.inboxEmpty() {
		return 0
	}
	return max(0, l.nextTimer()-l.mono)
}

func (l *Loop) event(e env.Event) {
	c := l.at(e.Conn)
	if c == nil {
		if slices.Contains(l.listeners, e.Conn) {
			l.accept(e.Conn)
		}
		return
	}
	if e.Writable {
		l.writable(c)
	}
	if e.Readable && !c.closed {
		l.readable(c)
	}
}

// at is the connection with that number at the poller, nil if there is none.
func (l *Loop) at(id env.Conn) *Conn {
	if int(id) >= len(l.conns) {
		return nil
	}
	return l.conns[id]
}

// resumeReady goes on with connections whose barrier has passed, until
// something obliges the loop to stand still. Those that come meanwhile have the
// next turn.
func (l *Loop) resumeReady() {
	if len(l.ready) == 0 {
		return
	}
	list, n := l.ready, 0
	l.ready = l.resuming
	for ; n < len(list) && l.free(); n++ {
		c := list[n]
		c.queued = false
		l.resume(c)
	}
	left := copy(list, list[n:])
	clear(list[left:])
	came := l.ready
	l.ready = append(list[:left], came...)
	clear(came)
	l.resuming = came[:0]
}

// wake makes the loop look around; any loop may call it.
func (l *Loop) wake() { l.poller.Wake() }

// park waits until something changes at the barrier that holds the loop.
func (l *Loop) park() {
	if !l.barriersWait() {
		l.poller.Park(retryAfter, false)
		return
	}
	if !l.mayPass() {
		l.poller.Park(l.linger.patience(l.clock.Monotonic()), l.soon())
	}
}

// soon tells that what the loop waits for at a barrier comes within
// microseconds, as far as one can tell.
func (l *Loop) soon() bool {
	b := l.node.barriers.at(l.passed.Load())
	return b != nil && !b.long
}

// parkFor bounds a sleep at a barrier, in nanoseconds; a release wakes it long
// before.
const parkFor = 10_000_000

// retryAfter is how long, in nanoseconds, a loop sleeps whose barrier finds no
// room in the ring: nobody tells it when there is some.
const retryAfter = 100_000

// mayPass tells whether the barrier that holds the loop is ready for it.
func (l *Loop) mayPass() bool {
	b := l.node.barriers.at(l.passed.Load())
	if b == nil {
		return true // it is being published right now
	}
	if b.owner == l {
		return b.arrived.Load() == b.need && l.linger.ready(l.clock.Monotonic())
	}
	return b.released.Load()
}
