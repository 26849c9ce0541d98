package host

import (
	"sync"
	"time"

	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/sim/invariant"
)

// portableNetwork is a network over package net, for systems without epoll and
// as the second opinion that the tests ask. Goroutines move bytes between
// sockets and bounded buffers; pollers look at the buffers. One lock guards
// all of it: it aims at plainness, not at speed.
type portableNetwork struct {
	mu    sync.Mutex
	links []*link // by Conn; nil where free
	free  []env.Conn
	hubs  map[env.ListenAddress]*hub // the shared ones
}

func newPortable() *portableNetwork {
	return &portableNetwork{hubs: map[env.ListenAddress]*hub{}}
}

func (n *portableNetwork) Poller() (env.Poller, error) {
	p := &portable{
		network: n,
		calls:   make(chan struct{}, 1),
		arrival: make(chan struct{}, 1),
		timer:   time.NewTimer(time.Hour),
	}
	p.timer.Stop()
	return p, nil
}

// enter gives a link its Conn. The lock is held.
func (n *portableNetwork) enter(l *link) {
	if last := len(n.free) - 1; last >= 0 {
		l.id, n.free = n.free[last], n.free[:last]
	} else {
		l.id = env.Conn(len(n.links))
		n.links = append(n.links, nil)
	}
	n.links[l.id] = l
}

// portable is a poller of a portableNetwork.
type portable struct {
	network *portableNetwork
	calls   chan struct{} // Wake, coalesced
	arrival chan struct{} // pending was empty and is not
	timer   *time.Timer   // of the owning loop
	pending []*link       // those that may be ready, each once; under the lock
	spare   []*link
}

func (p *portable) Wake() { ring(p.calls) }

func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

func (p *portable) Park(timeout int64, _ bool) {
	select {
	case <-p.calls:
	case <-p.after(timeout):
	}
}

// after is a channel that tells when a timeout has passed, never below 0.
func (p *portable) after(timeout int64) <-chan time.Time {
	if timeout < 0 {
		return nil
	}
	p.timer.Reset(time.Duration(timeout))
	return p.timer.C
}

func (p *portable) Wait(events []env.Event, timeout int64) (int, error) {
	if n := p.collect(events); n > 0 || timeout == 0 {
		select {
		case <-p.calls:
		default:
		}
		return n, nil
	}
	passed := p.after(timeout)
	for {
		select {
		case <-p.arrival:
			if n := p.collect(events); n > 0 {
				return n, nil
			}
		case <-p.calls:
			return p.collect(events), nil
		case <-passed:
			return p.collect(events), nil
		}
	}
}

// collect reports the links that are ready. They stay pending, behind those
// that found no room, so that each has its turn.
func (p *portable) collect(events []env.Event) int {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	count, looked := 0, 0
	for looked < len(p.pending) && count < len(events) {
		l := p.pending[looked]
		looked++
		if event, ready := l.event(); ready {
			events[count] = event
			p.pending[count] = l
			count++
		} else {
			l.pending = false
		}
	}
	next := append(p.spare[:0], p.pending[looked:]...)
	next = append(next, p.pending[:count]...)
	p.pending, p.spare = next, p.pending
	return count
}

// own gives a connection or listener of this poller. The lock is held.
func (p *portable) own(conn env.Conn) *link {
	links := p.network.links
	invariant.Check(uint(conn) < uint(len(links)) && links[conn] != nil && links[conn].owner == p,
		"a poller's own connection is named")
	return links[conn]
}

// locked runs do on an own connection.
func (p *portable) locked(conn env.Conn, do func(*link)) {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	do(p.own(conn))
}

func (p *portable) Read(conn env.Conn, b []byte) (int, error) {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	return p.own(conn).read(b)
}

func (p *portable) Write(conn env.Conn, b []byte) (int, error) {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	return p.own(conn).write(b)
}

func (p *portable) WantRead(conn env.Conn, on bool) {
	p.locked(conn, func(l *link) {
		l.wantRead = on
		l.notify()
	})
}

func (p *portable) WantWrite(conn env.Conn, on bool) {
	p.locked(conn, func(l *link) {
		l.wantWrite = on
		l.notify()
	})
}

// Gone knows of an end that the reader has come to.
func (p *portable) Gone(conn env.Conn) (gone bool) {
	p.locked(conn, func(l *link) { gone = l.inErr != nil })
	return gone
}

func (p *portable) KeepAlive(conn env.Conn, seconds int) {
	p.locked(conn, func(l *link) { l.keepAlive(seconds) })
}

func (p *portable) Detach(conn env.Conn) {
	p.locked(conn, func(l *link) { p.release(l) })
}

// release forgets a link. The lock is held.
func (p *portable) release(l *link) {
	for i, other := range p.pending {
		if other == l {
			p.pending = append(p.pending[:i], p.pending[i+1:]...)
			break
		}
	}
	l.owner, l.pending, l.wantRead, l.wantWrite = nil, false, false, false
}

func (p *portable) Attach(conn env.Conn) error {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	l := p.network.links[conn]
	invariant.Check(l != nil && l.owner == nil, "only a detached connection is attached")
	p.take(l)
	return nil
}

// take makes a link this poller's. The lock is held.
func (p *portable) take(l *link) {
	l.owner, l.wantRead = p, true
	l.notify()
}

func (p *portable) Close(conn env.Conn) {
	p.locked(conn, p.close)
}

// close ends a link. The lock is held.
func (p *portable) close(l *link) {
	p.release(l)
	p.network.links[l.id] = nil
	p.network.free = append(p.network.free, l.id)
	if l.hub != nil {
		l.hub.leave(l)
		return
	}
	l.close()
}

func (p *portable) Shut() {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	for _, l := range p.network.links {
		if l != nil && l.owner == p {
			p.close(l)
		}
	}
}

// Address tells where a listener listens, with the port that the system chose.
func (p *portable) Address(conn env.Conn) string {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	return p.own(conn).hub.listener.Addr().String()
}
