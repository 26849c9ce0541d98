package host

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"

	"github.com/elares/ironcache/sim/env"
)

// dialPatience is how long a connection may take to be made.
const dialPatience = 30 * time.Second

// Dial starts a connection, on a goroutine of its own.
func (p *portable) Dial(address string) (env.Conn, error) {
	if _, err := netip.ParseAddrPort(address); err != nil {
		return 0, fmt.Errorf("host: dial %s: %w", address, err)
	}
	n := p.network
	n.mu.Lock()
	defer n.mu.Unlock()
	l := &link{out: make([]byte, 0, linkOutput), dialling: true}
	l.moved.L = &n.mu
	n.enter(l)
	p.take(l)
	l.wantWrite = true
	go l.dial(address)
	return l.id, nil
}

// dial makes the connection and starts to move its bytes.
func (l *link) dial(address string) {
	conn, err := net.DialTimeout("tcp", address, dialPatience)
	l.moved.L.Lock()
	defer l.moved.L.Unlock()
	l.dialling = false
	if err != nil {
		l.inErr, l.outErr = dialFailure(err), env.ErrReset
		l.notify()
		return
	}
	l.net = conn
	if l.closed {
		conn.Close()
		return
	}
	go l.receive()
	go l.transmit()
	l.notify()
}

// dialFailure is the door's error for a connection that was not made.
func dialFailure(err error) error {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return env.ErrRefused
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return env.ErrTooMany
	}
	return env.ErrReset
}
