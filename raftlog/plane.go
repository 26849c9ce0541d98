package raftlog

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/bus"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/slots"
)

// Options are what a control plane is made of.
type Options struct {
	World   env.World
	Dir     string // of what must not be forgotten; its parent must exist
	Address state.Address
	// Listen is where the bus listens; empty: at the Address.
	Listen string
	Secret string // of the cluster
	// Files is how many descriptors the control plane may use, those of connections
	// that others open included; 0 stands for DefaultFiles.
	Files int
	Lease slots.Lease
	// Election is how long a follower hears nothing of a leader before it
	// wants to lead; 0 stands for DefaultElection.
	Election time.Duration
	// Topology, if set, is what a cluster is formed with by the first of its
	// nodes, once all of them are there and none is in a cluster.
	Topology []Place
	// SnapshotEvery is after how many entries of the log the state is written
	// down, and how many stay of those before; 0 stands for the usual numbers.
	SnapshotEvery uint64
	Log           *slog.Logger
	// WatchApply, if set, is told of every entry that was applied, and can make a
	// snapshot of what it led to: what a test compares between nodes.
	WatchApply func(index, term uint64, entry []byte, snapshot func() []byte)
	// Watch, if set, is told of every change of the node's standing.
	Watch func(Standing)
	// WatchLead, if set, is told of each term that the node came to lead, with the
	// log that it had then, and up to which index snapshots cover it: what a test
	// compares with what other nodes had committed.
	WatchLead func(term, covered uint64, log []Held)
}

// Bus is the address of the node's bus.
func (o *Options) Bus() string { return busOf(&o.Address) }

// Place is a node of a topology.
type Place struct {
	Bus  string // address of its bus
	Owns []slots.Range
	Of   int // place of its owner in the list, from 1; 0: it is an owner
}

// DefaultFiles is enough for a node of any cluster, whoever else comes to its bus.
const DefaultFiles = 1024

// unprovenFiles is the part of them that others can use without the secret.
func (o *Options) unprovenFiles() int { return max(1, o.Files/2) }

// servedFiles is the part that others can use to make calls.
func (o *Options) servedFiles() int { return max(1, o.Files/4) }

// DefaultElection is the election timeout of a node that is not told another.
const DefaultElection = 500 * time.Millisecond

// Plane is the control plane of a node.
type Plane struct {
	world   env.World
	log     *slog.Logger
	id      state.ID
	address state.Address
	options Options
	changed func()
	yield   func(slot uint16, move uint64) error

	bus     *bus.Bus
	store   *store.Store
	raft    *raft.Raft
	leading *leading
	kept    kept
	served  served

	mu      sync.Mutex
	state   state.State
	reached uint64 // highest index of an entry that was applied
	lease   leasing
	moved   chan struct{} // closed when there is a new View
	claims  []slots.Range // while it is in no cluster
	suit    suit
	bound   state.ID   // the cluster that the disk belongs to, zero if none yet
	invited state.ID   // the cluster that the node has agreed last to come into, zero if none
	was     slots.Node // the number by which it was a member last, as far as it has heard; None if it was none
	left    slots.Node // it is known to be no member by this number and those below it

	view     atomic.Pointer[View]
	watching watching

	upkeep upkeep
	alone  int // for how many periods of renewal nobody leads: of the goroutine that renews

	closed  chan struct{}
	running sync.WaitGroup
	meeting sync.Mutex // held while this node and others come together
	binding sync.Mutex // held while bound, invited and left change, on disk and then here; locked before mu
}

// Open starts a node's control plane with what its disk remembers.
func Open(o Options) (*Plane, error) {
	o.Election = cmp.Or(o.Election, DefaultElection)
	o.Files = cmp.Or(o.Files, DefaultFiles)
	if o.Lease == (slots.Lease{}) {
		o.Lease = slots.DefaultLease
	}
	if err := o.Lease.Validate(); err != nil {
		return nil, err
	}
	p := &Plane{
		world: o.World, log: o.Log, address: o.Address, options: o,
		moved: make(chan struct{}), closed: make(chan struct{}), watching: watching{tell: o.Watch},
		kept:   kept{clock: o.World.Clock},
		served: served{most: o.servedFiles()},
		upkeep: upkeep{log: o.Log},
	}
	p.view.Store(&View{Map: slots.NewMap()})
	if err := p.open(); err != nil {
		return nil, err
	}
	err := p.remember()
	if err == nil {
		err = p.join()
	}
	if err != nil {
		return nil, errors.Join(err, p.store.Close())
	}
	return p, nil
}

// open reads who the node is, and opens its store.
func (p *Plane) open() (err error) {
	o := &p.options
	if p.id, err = identity(o.World, o.Dir); err != nil {
		return err
	}
	if p.store, err = store.Open(o.World.Disk, o.Dir+"/raft", store.Options{Node: p.id.String()}); err != nil {
		return err
	}
	if file, bytes := p.store.Log.Torn(); bytes > 0 {
		p.log.Info("raftlog: cut the incomplete end off the log, as is normal after a crash: nothing in it had been acknowledged", "file", file, "bytes", bytes)
	}
	return nil
}

// incarnationKey is where the number of the node's starts is kept.
var incarnationKey = []byte("ironcache-incarnation")

// remember reads what the disk has to say, and counts the start.
func (p *Plane) remember() error {
	starts, err := p.store.Stable.GetUint64(incarnationKey)
	if err != nil {
		return err
	}
	p.lease = leasing{Lease: p.options.Lease, incarnation: starts + 1}
	if err := cmp.Or(p.recallCluster(), p.recallLeft()); err != nil {
		return err
	}
	return p.store.Stable.SetUint64(incarnationKey, starts+1)
}

// join opens the bus and starts Raft and what goes with it.
func (p *Plane) join() (err error) {
	o := &p.options
	p.bus, err = bus.Open(bus.Options{
		World: o.World, Address: cmp.Or(o.Listen, o.Bus()), ID: bus.ID(p.id), Secret: o.Secret, Log: o.Log,
		Cluster: p.boundTo, Admit: p.admitLine, Unproven: o.unprovenFiles(),
	})
	if err != nil {
		return err
	}
	transport := raft.NewNetworkTransportWithConfig(&raft.NetworkTransportConfig{
		Stream: bus.Stream{Listener: p.bus.Listen(lineRaft), Self: nameOf(p.id, &p.address)}, MaxPool: 2, Timeout: 4 * o.Election,
		Logger: newRaftLog(o.Log, o.World.Clock),
	})
	p.leading = newLeading(p)
	p.watching.recall(p.store)
	log := &durable{Log: p.store.Log, upkeep: &p.upkeep}
	p.raft, err = raft.NewRaft(p.raftConfig(), machine{p}, log, terms{values{p.store.Stable}, p}, p.store.Snapshots, sender{transport})
	if err != nil {
		return errors.Join(fmt.Errorf("raftlog: start Raft: %w", err), transport.Close(), p.bus.Close())
	}
	log.raft.Store(p.raft)
	p.raft.RegisterObserver(p.watching.observer())
	if o.WatchLead != nil {
		p.raft.RegisterObserver(p.leads())
	}
	calls := p.bus.Listen(lineCalls)
	for _, run := range []func(){func() { p.serveCalls(calls) }, p.renew, p.lead, p.form} {
		p.running.Add(1)
		go run()
	}
	return nil
}

// raftConfig is how the library is run. Its own leader lease is of no use for
// safety here; it makes a leader that lost its majority step down.
func (p *Plane) raftConfig() *raft.Config {
	c := raft.DefaultConfig()
	c.LocalID = serverOf(p.id)
	c.HeartbeatTimeout, c.ElectionTimeout = p.options.Election, p.options.Election
	c.LeaderLeaseTimeout = p.options.Election / 2
	c.CommitTimeout = p.options.Election / 4 // of use only where spread did not get through
	c.SnapshotInterval, c.SnapshotThreshold, c.TrailingLogs = 30*time.Second, 4096, 1024
	if n := p.options.SnapshotEvery; n > 0 {
		c.SnapshotInterval, c.SnapshotThreshold, c.TrailingLogs = time.Second, n, n
	}
	c.Logger = newRaftLog(p.log, p.world.Clock)
	c.NoLegacyTelemetry = true // nobody reads its metrics, least of all twice
	c.ShutdownOnRemove = false
	return c
}

// Notify has a function called whenever there is a new View, by a goroutine that
// must not be held up.
func (p *Plane) Notify(changed func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changed = changed
}

// Go runs work on a goroutine of its own: what waits for the cluster.
func (p *Plane) Go(work func()) { go work() }

// ID is the node's name.
func (p *Plane) ID() state.ID { return p.id }

// Address is where the node is found.
func (p *Plane) Address() state.Address { return p.address }

// Link is a connection with another node's bus.
type Link = bus.Link

// Links lists the connections with other nodes. Any thread may ask.
func (p *Plane) Links() []Link { return p.bus.Links() }

// View is what the node knows now. Any thread may ask.
func (p *Plane) View() *View { return p.view.Load() }

// Close ends the node's part in the cluster. What was decided stays on disk.
func (p *Plane) Close() error {
	close(p.closed)
	err := p.raft.Shutdown().Error()
	err = errors.Join(err, p.bus.Close())
	p.running.Wait()
	return errors.Join(err, p.store.Close())
}

var _ io.Closer = (*Plane)(nil)
