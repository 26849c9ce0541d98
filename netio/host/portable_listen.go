package host

import (
	"errors"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/elares/ironcache/sim/env"
)

// hub accepts for all listeners of one address and deals the connections out
// in turn, on systems where the kernel does not spread them.
type hub struct {
	network  *portableNetwork
	at       env.ListenAddress
	listener net.Listener
	file     socketFile
	members  []*link // listeners; empty once closed
	turn     int
	room     sync.Cond // a member accepted, or all have left
}

// hubQueue is how many connections wait for one member; more wait in the system.
const hubQueue = 16

func (p *portable) Listen(at env.ListenAddress) (env.Conn, error) {
	n := p.network
	n.mu.Lock()
	defer n.mu.Unlock()
	h := n.hubs[at]
	if h == nil {
		var err error
		if h, err = n.newHub(at); err != nil {
			return 0, err
		}
	}
	l := &link{hub: h}
	n.enter(l)
	h.members = append(h.members, l)
	p.take(l)
	return l.id, nil
}

func (n *portableNetwork) newHub(at env.ListenAddress) (*hub, error) {
	listener, err := open(at, nil)
	if err != nil {
		return nil, err
	}
	h := &hub{network: n, at: at, listener: listener, file: socketFileOf(at)}
	h.room.L = &n.mu
	if at.Shared {
		n.hubs[at] = h
	}
	go h.accept()
	return h, nil
}

// accept deals connections to members that have room until all have left.
func (h *hub) accept() {
	for {
		conn, err := h.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			h.tell(err)
			time.Sleep(restPeriod)
			continue
		}
		h.network.mu.Lock()
		h.deal(conn)
		h.network.mu.Unlock()
	}
}

// deal gives a connection to the next member with room. The lock is held.
func (h *hub) deal(conn net.Conn) {
	for len(h.members) > 0 {
		for range h.members {
			h.turn++
			l := h.members[h.turn%len(h.members)]
			if len(l.waiting) < hubQueue {
				l.waiting = append(l.waiting, conn)
				l.notify()
				return
			}
		}
		h.room.Wait()
	}
	conn.Close()
}

// tell lets a member's next Accept fail with what went wrong.
func (h *hub) tell(err error) {
	h.network.mu.Lock()
	defer h.network.mu.Unlock()
	if len(h.members) == 0 {
		return
	}
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		err = env.ErrTooMany
	}
	h.members[0].inErr = err
	h.members[0].notify()
}

// leave takes a member out and deals what waited for it to the others; the
// last one closes the listener. The lock is held.
func (h *hub) leave(l *link) {
	for i, member := range h.members {
		if member == l {
			h.members = append(h.members[:i], h.members[i+1:]...)
			break
		}
	}
	h.room.Broadcast()
	if len(h.members) == 0 {
		delete(h.network.hubs, h.at)
		h.listener.Close()
		h.file.remove()
	}
	for _, conn := range l.waiting {
		h.pass(conn)
	}
	l.waiting = nil
}

// pass gives a connection to any member, room or not.
func (h *hub) pass(conn net.Conn) {
	if len(h.members) == 0 {
		conn.Close()
		return
	}
	h.turn++
	l := h.members[h.turn%len(h.members)]
	l.waiting = append(l.waiting, conn)
	l.notify()
}

func (p *portable) Accept(from env.Conn) (env.Conn, env.Peer, error) {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	listener := p.own(from)
	if err := listener.inErr; err != nil && len(listener.waiting) == 0 {
		listener.inErr = nil
		return 0, env.Peer{}, err
	}
	if len(listener.waiting) == 0 {
		return 0, env.Peer{}, env.ErrAgain
	}
	conn := listener.waiting[0]
	listener.waiting = listener.waiting[1:]
	listener.hub.room.Broadcast()
	l := newLink(p.network, conn)
	p.take(l)
	return l.id, peerOf(conn), nil
}

// peerOf describes a connection of package net.
func peerOf(conn net.Conn) env.Peer {
	local, remote := conn.LocalAddr(), conn.RemoteAddr()
	if at, ok := local.(*net.UnixAddr); ok {
		return env.Peer{Remote: at.Name, Local: at.Name, Loopback: true, Unix: true}
	}
	from := remote.(*net.TCPAddr).AddrPort()
	return env.Peer{Remote: remote.String(), Local: local.String(), Loopback: from.Addr().Unmap().IsLoopback()}
}
