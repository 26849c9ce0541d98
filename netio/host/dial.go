//go:build linux && (amd64 || arm64)

package host

import (
	"fmt"
	"net/netip"

	"github.com/elares/ironcache/sim/env"
	"golang.org/x/sys/unix"
)

// Dial starts a connection. What comes of it shows as an event: the kernel
// reports a failed connection as one that can be read.
func (p *poller) Dial(address string) (env.Conn, error) {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return 0, fmt.Errorf("host: dial %s: %w", address, err)
	}
	family, at := sockaddr(to)
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, dialError(address, err)
	}
	unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	err = unix.Connect(fd, at)
	if err == nil || err == unix.EINPROGRESS || err == unix.EINTR {
		err = p.add(env.Conn(fd), wantRead|wantWrite)
	}
	if err != nil {
		unix.Close(fd)
		return 0, dialError(address, err)
	}
	return env.Conn(fd), nil
}

// dialError is the door's error for a connection that could not be started.
func dialError(address string, err error) error {
	errno, ok := err.(unix.Errno)
	if !ok {
		return err
	}
	switch known := failure(errno); known {
	case env.ErrTooMany, env.ErrRefused, env.ErrReset:
		return known
	}
	return fmt.Errorf("host: dial %s: %w", address, err)
}

// sockaddr is an address as the kernel takes it.
func sockaddr(at netip.AddrPort) (family int, address unix.Sockaddr) {
	if ip := at.Addr().Unmap(); ip.Is4() {
		return unix.AF_INET, &unix.SockaddrInet4{Port: int(at.Port()), Addr: ip.As4()}
	}
	return unix.AF_INET6, &unix.SockaddrInet6{Port: int(at.Port()), Addr: at.Addr().As16()}
}
