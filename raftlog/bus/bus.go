// Package bus carries the control plane's connections between the nodes of a
// cluster over the network door. It turns a poller, which one loop owns and
// which never blocks, into connections that goroutines read and write with
// deadlines, as hashicorp/raft wants them. It knows nothing of what is said,
// save for the greeting by which both sides prove that they belong to one
// cluster.
//
// The promise that callers rely on: a connection that Accept or Dial gives has
// passed the greeting, one that was dialled by a node's name leads to that node
// and no other, and Close ends every call that waits.
package bus

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/sim/invariant"
)

// Options are what a bus is made of.
type Options struct {
	World   env.World
	Address string // to listen on, "127.0.0.1:16379"
	// ID is the node's own. A connection for another node at this address is
	// turned away.
	ID ID
	// Cluster tells the cluster that the node belongs to, zero if none; those that
	// it dials are told. nil: none.
	Cluster func() ID
	// Admit, if set, may refuse a connection for a line, of a node of that cluster.
	Admit func(line Line, cluster ID) error
	// Secret is what the nodes of a cluster share. Empty: everybody may join in.
	Secret string
	// Unproven is how many connections there may be that others have opened and that
	// have not proved themselves: each takes a descriptor. 0 stands for MostUnproven,
	// which is the most.
	Unproven int
	Log      *slog.Logger
}

// Bus is the control plane's end of the network.
type Bus struct {
	poller env.Poller
	clock  env.Clock
	id     ID
	from   func() ID // the cluster
	admit  func(Line, ID) error
	secret []byte
	log    *slog.Logger
	nonces *nonces

	mu       sync.Mutex
	conns    map[env.Conn]*Conn
	calls    []func() // to be made by the goroutine that owns the poller
	listener env.Conn
	address  string
	closed   bool
	unproven unproven
	lines    map[Line]*line
	mistaken map[ID]bool // nodes that this one was taken for, by those who know the secret
	strange  strange     // of what strangers make happen
	ended    chan struct{}
}

// Line names what a connection is for. Each has a queue of accepted ones.
type Line byte

// mostMistaken bounds how many nodes it is said of that this one is taken for them.
const mostMistaken = 64

// queued is how many proven connections of a line wait for Accept.
const queued = 64

// Open listens and starts to carry bytes.
func Open(o Options) (*Bus, error) {
	poller, err := o.World.Network.Poller()
	if err != nil {
		return nil, fmt.Errorf("bus: %w", err)
	}
	b := &Bus{
		poller: poller, clock: o.World.Clock, id: o.ID, from: o.Cluster, admit: o.Admit, secret: []byte(o.Secret), log: o.Log, nonces: newNonces(o.World.Rand.Fork()),
		conns: map[env.Conn]*Conn{}, lines: map[Line]*line{}, address: o.Address, mistaken: map[ID]bool{}, ended: make(chan struct{}),
		strange: strange{log: o.Log, clock: o.World.Clock}, unproven: newUnproven(o.Unproven),
	}
	if b.from == nil {
		b.from = func() ID { return ID{} }
	}
	if b.admit == nil {
		b.admit = func(Line, ID) error { return nil }
	}
	b.listener, err = poller.Listen(env.ListenAddress{Network: "tcp", Address: o.Address, Backlog: 511})
	if err != nil {
		poller.Shut()
		return nil, fmt.Errorf("bus: %w", err)
	}
	go b.carry()
	return b, nil
}

// Close ends all connections and waits until the poller is released.
func (b *Bus) Close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.poller.Wake()
	<-b.ended
	return nil
}

// carry is the goroutine that owns the poller.
func (b *Bus) carry() {
	defer close(b.ended)
	var events [64]env.Event
	for {
		n, err := b.poller.Wait(events[:], -1)
		if err != nil {
			b.log.Error("bus: wait for connections", "err", err)
		}
		b.mu.Lock()
		for _, e := range events[:n] {
			b.event(e)
		}
		b.makeCalls()
		if b.closed {
			b.shut()
			b.mu.Unlock()
			return
		}
		b.mu.Unlock()
	}
}

// do has the poller's goroutine call something, soon. The lock is held.
func (b *Bus) do(call func()) {
	b.calls = append(b.calls, call)
	b.poller.Wake()
}

func (b *Bus) makeCalls() {
	for len(b.calls) > 0 {
		calls := b.calls
		b.calls = nil
		for _, call := range calls {
			call()
		}
	}
}

// shut breaks what is open. The lock is held.
func (b *Bus) shut() {
	for _, c := range b.conns {
		c.fail(net.ErrClosed)
	}
	for _, l := range b.lines {
		l.shut()
	}
	b.poller.Shut()
}

func (b *Bus) event(e env.Event) {
	if e.Conn == b.listener {
		b.accept()
		return
	}
	c := b.conns[e.Conn]
	if c == nil {
		return
	}
	if e.Writable {
		c.writable()
	}
	if e.Readable && !c.gone {
		c.readable()
	}
}

// mostAccepted is how many connections are accepted before others have their turn.
const mostAccepted = 32

// accept takes connections and lets each prove itself on a goroutine of its
// own.
func (b *Bus) accept() {
	for range mostAccepted {
		id, peer, err := b.poller.Accept(b.listener)
		if err != nil {
			if err != env.ErrAgain {
				b.strange.warn(notAccepted, "bus: a connection was not accepted", "err", err)
			}
			return
		}
		c := b.enter(id, peer.Local, peer.Remote)
		c.up, c.source = true, sourceOf(peer.Remote)
		if gone := b.unproven.add(c); gone != nil {
			gone.fail(errCrowded)
		}
		go b.greet(c)
	}
}

// greet hands a connection that proves itself to its line.
func (b *Bus) greet(c *Conn) {
	name, err := b.answerGreeting(c)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unproven.remove(c)
	if err == nil {
		err = b.enqueue(name, c)
	}
	if err != nil {
		b.turnAway(c, err)
	}
}

// turnAway closes a connection and says why. That nodes of the cluster take this
// one for another is said once of each other: they do not stop to. Whoever has not
// proved to know the secret may want any id.
func (b *Bus) turnAway(c *Conn, err error) {
	c.close()
	why := kindOf(err)
	if why != taken {
		b.strange.warn(why, "bus: a connection was turned away", "from", c.remote, "err", err)
		return
	}
	if b.mistaken[c.wanted] || len(b.mistaken) == mostMistaken {
		return
	}
	if b.strange.warn(why,
		"bus: the cluster takes this node for another that was at its address: CLUSTER FORGET that on a member, then CLUSTER MEET this",
		"that", fmt.Sprintf("%x", c.wanted), "this", fmt.Sprintf("%x", b.id), "from", c.remote) {
		invariant.Reached("node taken for another")
		b.mistaken[c.wanted] = true
	}
}

func (b *Bus) enqueue(name Line, c *Conn) error {
	l := b.lines[name]
	if l == nil || l.closed {
		return fmt.Errorf("nobody serves line %q", name)
	}
	select {
	case l.waiting <- c:
		return nil
	default:
		return errors.New("too many connections wait to be served")
	}
}

// enter makes a connection of a number at the poller. The lock is held.
func (b *Bus) enter(id env.Conn, local, remote string) *Conn {
	c := &Conn{bus: b, id: id, local: local, remote: remote, since: b.clock.Wall()}
	c.moved.L = &b.mu
	b.conns[id] = c
	return c
}

// Dial connects to another node's bus, for one of its lines: to the node of a
// Name, or to whichever node is at a mere address.
func (b *Bus) Dial(line Line, to string, patience time.Duration) (*Conn, error) {
	by := time.Now().Add(patience)
	address, wanted, err := split(to)
	if err != nil {
		return nil, err
	}
	c, err := b.connect(address, wanted, by)
	if err == nil {
		err = b.offerGreeting(c, line, by)
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("bus: dial %s: %w", to, err)
	}
	return c, nil
}

// connect waits until a connection stands.
func (b *Bus) connect(address string, wanted ID, by time.Time) (*Conn, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := &Conn{bus: b, id: -1, local: b.address, remote: address, wanted: wanted, dialled: true, since: b.clock.Wall()}
	c.moved.L = &b.mu
	b.do(func() { b.dial(c) })
	stop := c.wakeAt(by)
	defer stop()
	for !c.up && c.inErr == nil && !b.closed && time.Now().Before(by) {
		c.moved.Wait()
	}
	switch {
	case c.inErr != nil:
		return c, c.inErr
	case b.closed:
		return c, net.ErrClosed
	case !c.up:
		return c, errTimeout
	}
	return c, nil
}

// dial starts a connection. The poller's goroutine calls it.
func (b *Bus) dial(c *Conn) {
	if c.gone {
		return
	}
	id, err := b.poller.Dial(c.remote)
	if err != nil {
		c.fail(err)
		return
	}
	c.id = id
	b.conns[id] = c
}
