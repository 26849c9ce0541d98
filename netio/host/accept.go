//go:build linux && (amd64 || arm64)

package host

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"syscall"
	"time"

	"github.com/elares/ironcache/sim/env"
	"golang.org/x/sys/unix"
)

// Accept needs no TCP_NODELAY: the connection inherits it from the listener.
func (p *poller) Accept(from env.Conn) (env.Conn, env.Peer, error) {
	fd, remote, err := unix.Accept4(int(from), unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
	if err != nil {
		return 0, env.Peer{}, p.acceptError(from, err)
	}
	conn := env.Conn(fd)
	err = p.add(conn, wantRead)
	local, nameErr := unix.Getsockname(fd)
	if err = errors.Join(err, nameErr); err != nil {
		p.watches[conn] = 0
		unix.Close(fd)
		return 0, env.Peer{}, fmt.Errorf("host: accept: %w", err)
	}
	return conn, peer(local, remote), nil
}

func (p *poller) acceptError(from env.Conn, err error) error {
	errno, _ := err.(syscall.Errno)
	if errno == syscall.EINTR {
		return env.ErrAgain // level-triggered: it is reported again
	}
	err = failure(errno)
	if err == env.ErrTooMany {
		p.startRest(from)
	}
	return err
}

// startRest turns off reports of a listener whose connections cannot be taken:
// it stays ready, so that reporting it would keep the loop awake for nothing.
func (p *poller) startRest(conn env.Conn) {
	flags := p.of(conn)
	if flags&resting == 0 {
		p.resting++
		p.watches[conn] = flags | resting
		p.epollCtl(unix.EPOLL_CTL_MOD, conn, p.watches[conn])
	}
	p.restUntil = time.Now().Add(restPeriod)
}

// rest ends the rest of listeners when it is time, and else shortens a Wait's
// timeout so that it ends then.
func (p *poller) rest(timeout int64) int64 {
	if left := int64(time.Until(p.restUntil)); left > 0 {
		if timeout < 0 || left < timeout {
			return left
		}
		return timeout
	}
	for conn := range p.listeners {
		if p.watches[conn]&resting != 0 {
			p.watches[conn] &^= resting
			p.epollCtl(unix.EPOLL_CTL_MOD, conn, p.watches[conn])
		}
	}
	p.resting = 0
	return timeout
}

// peer describes a connection by its two addresses.
func peer(local, remote unix.Sockaddr) env.Peer {
	if socket, ok := local.(*unix.SockaddrUnix); ok {
		return env.Peer{Remote: socket.Name, Local: socket.Name, Loopback: true, Unix: true}
	}
	from, at := addrPort(remote), addrPort(local)
	return env.Peer{Remote: from.String(), Local: at.String(), Loopback: from.Addr().IsLoopback()}
}

// addrPort reads an internet address; an IPv4 address in IPv6 clothes is the
// former.
func addrPort(address unix.Sockaddr) netip.AddrPort {
	switch a := address.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port))
	case *unix.SockaddrInet6:
		ip := netip.AddrFrom16(a.Addr).Unmap()
		if a.ZoneId != 0 {
			ip = ip.WithZone(strconv.Itoa(int(a.ZoneId)))
		}
		return netip.AddrPortFrom(ip, uint16(a.Port))
	}
	return netip.AddrPort{}
}
