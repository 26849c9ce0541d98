package sim

import (
	"fmt"
	"math"
	"net/netip"

	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/sim/invariant"
)

// poller is the poller of one loop. Its Wait and Park return at once, however
// long they were to wait: they leave behind until when, for whoever runs the
// world.
type poller struct {
	network  *Network
	world    *World
	id       uint64
	deadline int64 // when the last Wait or Park would have ended by itself
	parked   bool  // it was a Park: connections do not end it
	woken    bool
	shut     bool
	waits    uint64 // for draws
}

// never is a deadline that does not come.
const never = math.MaxInt64

// sleep leaves behind until when the loop waits.
func (p *poller) sleep(timeout int64) {
	p.deadline = never
	if timeout >= 0 && timeout < never-p.world.now {
		p.deadline = p.world.now + timeout
	}
}

// due tells whether a Wait or Park that was left would have ended by now.
func (p *poller) due() bool {
	if p.shut {
		return false
	}
	return p.woken || p.deadline <= p.world.now || !p.parked && p.anyReady()
}

func (p *poller) anyReady() bool {
	for _, e := range p.network.ends {
		if e != nil && e.owner == p && e.event(p.world.now) != (env.Event{Conn: e.id}) {
			return true
		}
	}
	return false
}

// Listen opens a listener.
func (p *poller) Listen(at env.ListenAddress) (env.Conn, error) {
	l, err := p.world.listen(p.network, at)
	if err != nil {
		return 0, err
	}
	return p.network.open(&end{owner: p, listener: l, wantRead: true}), nil
}

// Dial starts a connection.
func (p *poller) Dial(to string) (env.Conn, error) {
	if _, err := netip.ParseAddrPort(to); err != nil {
		return 0, fmt.Errorf("sim: dial %s: %w", to, err)
	}
	n := p.network
	if n.mostConns > 0 && n.conns >= n.mostConns {
		return 0, env.ErrTooMany
	}
	e := &end{owner: p, wantRead: true, wantWrite: true, fate: pending}
	e.link = p.world.newLink(e)
	e.in, e.out = &e.link.down, &e.link.up
	n.conns++
	n.dialled++
	p.world.Note("dial", e.link.id, int64(n.machine.id))
	remote := n.machine.address(n.dialled)
	e.link.along(remote, to)
	e.link.up.travel(func() { p.world.connect(e.link, remote, to) })
	return n.open(e), nil
}

// Accept takes the connection that has waited longest.
func (p *poller) Accept(conn env.Conn) (env.Conn, env.Peer, error) {
	n, l := p.network, p.own(conn).listener
	p.world.Settle()
	switch {
	case len(l.waiting) == 0:
		return 0, env.Peer{}, env.ErrAgain
	case n.mostConns > 0 && n.conns >= n.mostConns:
		l.restUntil = p.world.now + restPeriod
		p.world.At(l.restUntil, func() {})
		return 0, env.Peer{}, env.ErrTooMany
	}
	next := l.waiting[0]
	l.waiting = l.waiting[1:]
	n.conns++
	p.world.Note("accept", next.link.id, 0)
	link := next.link
	return n.open(&end{owner: p, link: link, in: &link.up, out: &link.down, wantRead: true}), next.peer, nil
}

// Wait reports what is ready, beginning with another connection each time.
func (p *poller) Wait(events []env.Event, timeout int64) (int, error) {
	w, ends := p.world, p.network.ends
	w.Settle()
	p.waits++
	count := 0
	first := w.draw(drawHidden, p.id, p.waits) % uint64(len(ends))
	for i := 0; i < len(ends) && count < len(events); i++ {
		e := ends[(int(first)+i)%len(ends)]
		if e == nil || e.owner != p {
			continue
		}
		event := e.event(w.now)
		hidden := w.happens(w.mix.Hidden, drawHidden, p.id<<32|uint64(e.id), p.waits)
		if (event.Readable || event.Writable) && !hidden {
			events[count] = event
			count++
		}
	}
	p.sleep(timeout)
	if p.parked = false; p.woken || count > 0 {
		p.deadline = w.now
	}
	p.woken = false
	return count, nil
}

// Wake ends the current or next Wait or Park.
func (p *poller) Wake() { p.woken = true }

// Park leaves behind that only Wake or the time ends it.
func (p *poller) Park(timeout int64, _ bool) {
	p.sleep(timeout)
	if p.parked = true; p.woken {
		p.deadline = p.world.now
	}
	p.woken = false
}

// own gives an end that this poller watches.
func (p *poller) own(conn env.Conn) *end {
	e := p.network.of(conn)
	invariant.Check(e.owner == p, "sim: a poller's own connection is named")
	return e
}

// Read reads what has arrived.
func (p *poller) Read(conn env.Conn, b []byte) (int, error) {
	invariant.Check(len(b) > 0, "sim: a read has room")
	p.world.Settle()
	e := p.own(conn)
	switch {
	case e.fate == pending && !e.in.broken:
		return 0, env.ErrAgain
	case e.fate == denied:
		return 0, env.ErrRefused
	}
	n, err := e.in.read(b)
	p.world.Note("read", e.link.id, int64(n))
	return n, err
}

// Write writes a prefix.
func (p *poller) Write(conn env.Conn, b []byte) (int, error) {
	invariant.Check(len(b) > 0, "sim: a write has bytes")
	p.world.Settle()
	e := p.own(conn)
	switch {
	case e.in.broken:
		return 0, env.ErrReset
	case e.fate == pending:
		return 0, env.ErrAgain
	}
	n, err := e.out.write(b)
	p.world.Note("write", e.link.id, int64(n))
	return n, err
}

func (p *poller) WantRead(conn env.Conn, on bool) { p.own(conn).wantRead = on }

func (p *poller) WantWrite(conn env.Conn, on bool) { p.own(conn).wantWrite = on }

// Gone tells whether the end of the peer's stream has arrived.
func (p *poller) Gone(conn env.Conn) bool {
	p.world.Settle()
	e := p.own(conn)
	return e.in.ended || e.in.broken
}

// KeepAlive does nothing: a peer that is gone without a word is one that a test
// does not close.
func (p *poller) KeepAlive(env.Conn, int) {}

// Detach leaves a connection to another poller.
func (p *poller) Detach(conn env.Conn) { p.own(conn).owner = nil }

// Attach takes a connection over.
func (p *poller) Attach(conn env.Conn) error {
	e := p.network.of(conn)
	invariant.Check(e.owner == nil, "sim: a detached connection is attached")
	e.owner, e.wantRead, e.wantWrite = p, true, false
	return nil
}

// Close ends a connection or a listener.
func (p *poller) Close(conn env.Conn) {
	e := p.own(conn)
	p.network.ends[conn] = nil
	if e.listener != nil {
		e.listener.close(p.world)
		return
	}
	p.network.conns--
	p.world.Note("close", e.link.id, 0)
	e.hangUp()
}

// Shut closes everything that the poller watches.
func (p *poller) Shut() {
	for id, e := range p.network.ends {
		if e != nil && e.owner == p {
			p.Close(env.Conn(id))
		}
	}
	p.deadline, p.shut = never, true
}

// crash breaks everything that the poller watches.
func (p *poller) crash() {
	for _, e := range p.network.ends {
		if e != nil && e.owner == p && e.link != nil {
			e.link.reset()
		}
	}
	p.Shut()
}
