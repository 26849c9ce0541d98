//go:build linux && (amd64 || arm64)

package host

import (
	"net"
	"strings"
	"sync"

	"github.com/elares/ironcache/sim/env"
	"golang.org/x/sys/unix"
)

// epollNetwork remembers what its pollers share: which addresses they listen
// on together.
type epollNetwork struct {
	mu     sync.Mutex
	groups map[env.ListenAddress]*group // shared ones, by what was asked for
}

// group is the listeners of one address. Of a shared TCP address each has a
// socket of its own and the kernel spreads connections over them (SO_REUSEPORT).
// Unix sockets know no such thing: there they share one.
type group struct {
	asked   env.ListenAddress
	at      env.ListenAddress // with the port that the system chose
	members int
	file    socketFile
	socket  int // a unix socket that new members duplicate, or -1
}

// listener is what a poller remembers of one.
type listener struct {
	group   *group
	address string
}

func (n *epollNetwork) Poller() (env.Poller, error) { return newPoller(n) }

func (p *poller) Listen(at env.ListenAddress) (env.Conn, error) {
	fd, l, err := p.network.join(at)
	if err != nil {
		return 0, err
	}
	conn := env.Conn(fd)
	if err := p.add(conn, wantRead|listening); err != nil {
		unix.Close(fd)
		p.network.leave(l)
		return 0, err
	}
	p.listeners[conn] = l
	return conn, nil
}

// closeListener unwatches first: where a socket is shared, closing one
// descriptor of it would not end the reports.
func (p *poller) closeListener(conn env.Conn, flags watch) {
	p.epollCtl(unix.EPOLL_CTL_DEL, conn, 0)
	unix.Close(int(conn))
	if flags&resting != 0 {
		p.resting--
	}
	p.network.leave(p.listeners[conn])
	delete(p.listeners, conn)
}

// join opens a socket for one more listener of an address.
func (n *epollNetwork) join(at env.ListenAddress) (int, *listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	g := n.groups[at]
	if g == nil {
		return n.found(at)
	}
	fd := -1
	var err error
	if g.socket >= 0 {
		fd, err = unix.FcntlInt(uintptr(g.socket), unix.F_DUPFD_CLOEXEC, 0)
	} else {
		fd, _, err = socket(g.at)
	}
	if err != nil {
		return -1, nil, err
	}
	g.members++
	return fd, &listener{g, g.at.Address}, nil
}

// found opens the first listener of an address.
func (n *epollNetwork) found(at env.ListenAddress) (int, *listener, error) {
	if err := claim(at); err != nil {
		return -1, nil, err
	}
	fd, address, err := socket(at)
	if err != nil {
		return -1, nil, err
	}
	g := &group{asked: at, at: at, members: 1, file: socketFileOf(at), socket: -1}
	g.at.Address = address
	if at.Shared && at.Network == "unix" {
		if g.socket, err = unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0); err != nil {
			unix.Close(fd)
			g.file.remove()
			return -1, nil, err
		}
	}
	if at.Shared {
		n.groups[at] = g
	}
	return fd, &listener{g, address}, nil
}

// leave ends one membership; the last one cleans up.
func (n *epollNetwork) leave(l *listener) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if l.group.members--; l.group.members > 0 {
		return
	}
	delete(n.groups, l.group.asked) // of a lone listener there is none
	l.group.file.remove()
	if l.group.socket >= 0 {
		unix.Close(l.group.socket)
	}
}

// claim makes sure that nobody else listens on an address that is to be
// shared: the kernel would let a second server of the same user join in
// silently and give each of them half of the connections.
func claim(at env.ListenAddress) error {
	if !at.Shared || at.Network != "tcp" || strings.HasSuffix(at.Address, ":0") {
		return nil
	}
	probe, err := open(at, nil)
	if err != nil {
		return err
	}
	return probe.Close()
}

// socket opens a listening socket and gives its descriptor and address.
func socket(at env.ListenAddress) (int, string, error) {
	made, err := open(at, func(fd uintptr) { prepare(int(fd), at) })
	if err != nil {
		return -1, "", err
	}
	defer made.Close()
	fd, err := duplicate(made)
	return fd, made.Addr().String(), err
}

// prepare sets what connections inherit, and the sharing, before bind. The
// first fails on a unix socket, which has no such delay.
func prepare(fd int, at env.ListenAddress) {
	unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	if at.Shared && at.Network == "tcp" {
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1)
	}
}

// duplicate takes a descriptor out of the hands of package net.
func duplicate(made net.Listener) (int, error) {
	fd := -1
	var err error
	if outer := control(made, func(from uintptr) {
		fd, err = unix.FcntlInt(from, unix.F_DUPFD_CLOEXEC, 0)
	}); outer != nil {
		return -1, outer
	}
	return fd, err
}
