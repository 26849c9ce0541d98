package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/elares/ironcache/sim/env"
)

// open makes a listening socket by way of package net, which knows about
// names, zones and the peculiarities of systems. before runs between socket
// and bind.
func open(at env.ListenAddress, before func(fd uintptr)) (net.Listener, error) {
	if at.Network == "unix" {
		if len(at.Address) > longestPath {
			return nil, fmt.Errorf("host: listen on %s: the path has %d bytes, a socket's at most %d", at.Address, len(at.Address), longestPath)
		}
		if err := removeStale(at.Address); err != nil {
			return nil, err
		}
	}
	config := net.ListenConfig{
		KeepAlive: -1, // the owner decides for each connection
		Control: func(_, _ string, raw syscall.RawConn) error {
			return raw.Control(func(fd uintptr) {
				restrict(fd, at)
				if before != nil {
					before(fd)
				}
			})
		},
	}
	// Multipath TCP has no use for a cache, and its sockets inherit differently.
	config.SetMultipathTCP(false)
	listener, err := config.Listen(context.Background(), family(at), at.Address)
	if err != nil {
		return nil, listenError(err)
	}
	if unix, ok := listener.(*net.UnixListener); ok {
		unix.SetUnlinkOnClose(false) // see socketFile
	}
	if err := finish(listener, at); err != nil {
		listener.Close()
		return nil, err
	}
	return listener, nil
}

// longestPath is how many bytes the path of a unix socket may have.
const longestPath = len(syscall.RawSockaddrUnix{}.Path) - 1

// noAddress is an error that says what the system does, and is env.ErrNoAddress
// besides.
type noAddress struct{ error }

func (e noAddress) Unwrap() []error { return []error{e.error, env.ErrNoAddress} }

// lacking are the system's ways to say that it does not have an address, or its
// kind.
var lacking = []syscall.Errno{
	syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT, syscall.ENOPROTOOPT,
	syscall.EPFNOSUPPORT, syscall.EPROTONOSUPPORT, syscall.ESOCKTNOSUPPORT,
}

// listenError gives the door's error for what package net says.
func listenError(err error) error {
	for _, errno := range lacking {
		if errors.Is(err, errno) {
			return noAddress{fmt.Errorf("host: %w", err)}
		}
	}
	return fmt.Errorf("host: %w", err)
}

// finish sets what can be set only once the socket has its address.
func finish(listener net.Listener, at env.ListenAddress) error {
	if at.Network == "unix" && at.Perm != 0 {
		if err := os.Chmod(at.Address, fs.FileMode(at.Perm)); err != nil {
			return fmt.Errorf("host: listen on %s: %w", at.Address, err)
		}
	}
	return control(listener, func(fd uintptr) { setBacklog(fd, at.Backlog) })
}

// control runs do with the descriptor of a listener.
func control(listener net.Listener, do func(fd uintptr)) error {
	raw, err := listener.(syscall.Conn).SyscallConn()
	if err != nil {
		return fmt.Errorf("host: listen on %s: %w", listener.Addr(), err)
	}
	return raw.Control(do)
}

// family keeps a literal address to its own family, so that 0.0.0.0 and ::
// can be listened on side by side. Without a host it is both families.
func family(at env.ListenAddress) string {
	host, _, err := net.SplitHostPort(at.Address)
	if at.Network != "tcp" || err != nil {
		return at.Network
	}
	address, err := netip.ParseAddr(host)
	switch {
	case err != nil:
		return "tcp"
	case address.Is4():
		return "tcp4"
	}
	return "tcp6"
}

// removeStale removes a socket's file that nobody listens on.
func removeStale(path string) error {
	if strings.HasPrefix(path, "@") {
		return nil // an abstract name, which has no file
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("host: listen on %s: a file that is not a socket is in the way", path)
	}
	conn, err := net.Dial("unix", path)
	if err == nil {
		conn.Close()
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		err = os.Remove(path)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	if err == nil {
		err = syscall.EADDRINUSE
	}
	return fmt.Errorf("host: listen on %s: %w", path, err)
}

// socketFile remembers which file a unix listener made, so that closing it
// never removes the file of a server that came after.
type socketFile struct {
	path string
	info fs.FileInfo
}

func socketFileOf(at env.ListenAddress) socketFile {
	if at.Network != "unix" || strings.HasPrefix(at.Address, "@") {
		return socketFile{}
	}
	info, err := os.Lstat(at.Address)
	if err != nil {
		return socketFile{}
	}
	return socketFile{at.Address, info}
}

func (f socketFile) remove() {
	if f.path == "" {
		return
	}
	if info, err := os.Lstat(f.path); err == nil && os.SameFile(info, f.info) {
		os.Remove(f.path)
	}
}

// restPeriod is how long a listener rests that found no descriptor free.
const restPeriod = 100 * time.Millisecond
