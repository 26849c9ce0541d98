// Package netio runs a node: one event loop a core, each with its shard of the
// keyspace and its connections; the messages and barriers between loops; the
// sessions of clients. Everything it knows of the world comes through the doors
// of sim/env, so that the same code serves sockets and simulated networks.
//
// The promise that callers rely on: Loop.Step never blocks unless it is asked
// to, and what a client sent is carried out in the order in which it was sent.
package netio

import (
	"cmp"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/elares/ironcache/engine"
	"github.com/elares/ironcache/engine/command"
	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/engine/evict"
	"github.com/elares/ironcache/engine/keyspace"
	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// Node is the loops of one process and what they share.
type Node struct {
	config *config.Store // changed only while all loops stand still
	values atomic.Pointer[config.Values]
	world  env.World
	log    *slog.Logger
	about  About

	loops    []*Loop
	all      shardSet
	barriers *barrierLog
	hash     keyspace.Hash
	ledger   *keyspace.Ledger
	stores   []*keyspace.Store
	returns  []returns // of each shard
	sparse   bool      // mapped memory costs nothing until it is written

	sessionRows []sessionRow // by row ID
	monitors    atomic.Int64
	connected   atomic.Int64 // clients, 0 <= connected <= maxclients when the last one was admitted
	clientIDs   atomic.Int64
	slowIDs     atomic.Int64
	started     int64 // monotonic nanoseconds
	startedWall int64 // Unix nanoseconds
	runID       string

	paused pause

	plane      ControlPlane // nil: the node is alone
	watchFence func(touched []uint16, v *raftlog.View, released bool)
	drops      atomic.Uint64                   // rises whenever a slot begins or ends to be dropped
	dropping   [slots.Count / 64]atomic.Uint64 // a bit for each slot that is being dropped
	// Slots that the node stopped to serve, a bit each, while it is not known
	// whether it has given them up, and how many commands wait for that.
	withheld    [slots.Count / 64]atomic.Uint64
	withholding atomic.Int64

	peak         int64 // of used memory; changed while all loops stand still
	startupBytes int64
	heap         heapAccount
	aside        func(work func()) // Options.Aside
	// Set by DEBUG, while all loops stand still.
	keepExpired bool // what has expired is removed on access only
	pauseCron   bool
}

// About tells what a node cannot know by itself.
type About struct {
	Version    string // of IronCache
	Commit     string
	Executable string // path
	ConfigFile string // path; empty: none
	PID        int
	OS         string // as INFO shows it
	Poller     string // likewise
	GoVersion  string
	HeapBytes  func() int64 // memory of the Go heap; nil: unknown
	// CollectHeap makes HeapBytes exact and gives what is free of the heap back
	// to the system, which takes a while. nil: there is no way.
	CollectHeap func()
	CPUSeconds  func() (system, user float64)
	// Meter makes a meter for the thread that calls it: of the processor time
	// that it used, and of the time it was ready while others had the cores,
	// in nanoseconds. nil: unknown.
	Meter  func() func() (ran, waited int64)
	Memory int64 // of the machine, bytes
}

// Options are what a node is made of.
type Options struct {
	World  env.World
	Config *config.Store
	Shards int // 1 to MaxShards
	Log    *slog.Logger
	About  About
	// Store adds to the options of each shard's store, such as its chunk size.
	Store keyspace.Options
	// Plane is the control plane of a cluster that the node belongs to. nil: it
	// is alone, and every slot is its own.
	Plane ControlPlane
	// WatchFence, if set, is told of every decision whether replies may leave,
	// with the slots that they are of: what a judge of leases looks at.
	WatchFence func(touched []uint16, v *raftlog.View, released bool)
	// Aside does work soon, on another thread: what gives memory back to the
	// system. nil: the loops do that themselves, in small pieces.
	Aside func(work func())
}

// New makes a node. Nothing runs until its loops are stepped; Listen opens its
// doors.
func New(o Options) (*Node, error) {
	if o.Shards < 1 || o.Shards > MaxShards {
		return nil, fmt.Errorf("netio: %d shards: must be 1 to %d", o.Shards, MaxShards)
	}
	values := o.Config.Values()
	n := &Node{
		config: o.Config, world: o.World, log: o.Log, about: o.About,
		sparse: o.Store.Headroom > 0,
		all:    firstShards(o.Shards), barriers: newBarrierLog(o.Shards),
		hash: keyspace.NewHash(o.World.Rand), ledger: keyspace.NewLedger(values.Maxmemory),
		started: o.World.Clock.Monotonic(), startedWall: o.World.Clock.Wall(),
		runID: newRunID(o.World.Rand), aside: o.Aside,
		plane: o.Plane, watchFence: o.WatchFence,
	}
	n.values.Store(values)
	n.sessionRows = indexSessionRows(sessionTable)
	if err := n.makeStores(o, values); err != nil {
		return nil, err
	}
	return n, n.makeLoops(o)
}

// expirySlack is by how many milliseconds the removal of an expired key may be
// put off so that several go at once.
const expirySlack = 100

const (
	// mostSpare is how many bytes the shards keep ready for large values, in
	// all, and leastSpare what each of them keeps however many they are.
	mostSpare, leastSpare = 64 << 20, 8 << 20
)

func (n *Node) makeStores(o Options, values *config.Values) error {
	opts := o.Store
	opts.Hash, opts.Databases = n.hash, int(values.Databases)
	opts.ExpirySlack = cmp.Or(opts.ExpirySlack, expirySlack)
	n.returns = make([]returns, o.Shards)
	if n.sparse && opts.Spare == 0 {
		opts.Spare = max(mostSpare/o.Shards, leastSpare)
	}
	for id := range o.Shards {
		if o.Aside != nil {
			opts.Release = n.releaseAside(o.Aside, &n.returns[id], max(mostUnder/o.Shards, leastSpare))
		}
		store, err := keyspace.NewStore(o.World.Memory, n.ledger, opts)
		if err != nil {
			return fmt.Errorf("netio: memory for shard %d: %w", id, err)
		}
		n.stores = append(n.stores, store)
	}
	return nil
}

func (n *Node) makeLoops(o Options) error {
	for id := range o.Shards {
		l, err := n.newLoop(id, o)
		if err != nil {
			return err
		}
		n.loops = append(n.loops, l)
	}
	for _, l := range n.loops {
		l.inbox = make([]*ring, len(n.loops))
		l.overflow = make([][]*message, len(n.loops))
		for from := range n.loops {
			if from != l.id {
				l.inbox[from] = &ring{}
			}
		}
	}
	n.joinShards()
	for _, l := range n.loops {
		l.configure(n.values.Load())
		l.lookAtCluster()
	}
	if n.plane != nil {
		n.plane.Notify(n.wakeAll)
		n.plane.OnYield(n.handOver)
	}
	return nil
}

// wakeAll makes all loops look around.
func (n *Node) wakeAll() {
	for _, l := range n.loops {
		l.wake()
	}
}

// joinShards lets the shards make room for one another.
func (n *Node) joinShards() {
	exchange := evict.NewExchange(len(n.loops))
	exchange.Wake = func(shard int) { n.loops[shard].wake() }
	shards := make([]*engine.Shard, len(n.loops))
	for i, l := range n.loops {
		shards[i] = l.shard
	}
	for _, s := range shards {
		s.Join(exchange, shards)
	}
}

func (n *Node) newLoop(id int, o Options) (*Loop, error) {
	poller, err := o.World.Network.Poller()
	if err != nil {
		return nil, fmt.Errorf("netio: loop %d: %w", id, err)
	}
	l := &Loop{
		id: id, node: n, poller: poller, clock: o.World.Clock,
		events: make([]env.Event, maxEvents),
	}
	l.muster.hopOps, l.muster.run = usualHopOps, l.runMustered
	l.mono = l.clock.Monotonic()
	l.shard = engine.NewShard(id, n.stores, n.hash, o.World.Clock, o.World.Rand.Fork())
	l.shard.Patient()
	l.shard.Slow().Who = func() (address, name string) { return l.acting.address(), l.acting.name }
	l.shard.Slow().NextID = func() int64 { return n.slowIDs.Add(1) - 1 }
	l.initTimers()
	return l, nil
}

// Loops gives the node's loops, for whoever steps them.
func (n *Node) Loops() []*Loop { return n.loops }

// newRunID is the 40 hexadecimal digits that tell one life of a node from the
// next.
func newRunID(r env.Rand) string {
	return fmt.Sprintf("%016x%016x%08x", r.Uint64(), r.Uint64(), uint32(r.Uint64()))
}

// indexSessionRows orders the functions of netio by row ID.
func indexSessionRows(rows []sessionRow) []sessionRow {
	byID := make([]sessionRow, len(command.Table))
	for _, s := range rows {
		for i := range command.Table {
			if command.Table[i].Name == s.name {
				byID[i] = s
			}
		}
	}
	return byID
}

// postbox takes calls from outside of a loop.
type postbox struct {
	mu    sync.Mutex
	calls []func(*Loop)
	full  atomic.Bool
}

// Post calls a function on the first loop, soon. Any thread may call it.
func (n *Node) Post(call func(*Loop)) { n.loops[0].post(call) }

// post calls a function on this loop, soon. Any thread may call it.
func (l *Loop) post(call func(*Loop)) {
	l.posted.mu.Lock()
	l.posted.calls = append(l.posted.calls, call)
	l.posted.full.Store(true)
	l.posted.mu.Unlock()
	l.wake()
}

// runPosted runs what was posted.
func (l *Loop) runPosted() {
	p := &l.posted
	if !p.full.Load() {
		return
	}
	p.mu.Lock()
	calls := p.calls
	p.calls = nil
	p.full.Store(false)
	p.mu.Unlock()
	for _, call := range calls {
		call(l)
	}
}
