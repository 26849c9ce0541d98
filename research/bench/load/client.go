//go:build linux

package load

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

const (
	readSize = 1 << 20
	// patience bounds how long a server may answer nothing at all.
	patience = 20 * time.Second
)

// spinWait is how long, in ms, a run that spins sleeps for: a machine with one
// CPU must let the server have it.
var spinWait = map[bool]int{true: 1, false: 0}[runtime.NumCPU() == 1]

// A Client is a set of connections to one server, driven by one thread.
type Client struct {
	poll   int
	conns  []*conn
	buf    []byte
	events []unix.EpollEvent
}

// Dial opens n connections to a port of 127.0.0.1.
func Dial(port, n int) (*Client, error) {
	poll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("load: create poller: %w", err)
	}
	c := &Client{poll: poll, buf: make([]byte, readSize), events: make([]unix.EpollEvent, 256)}
	for range n {
		if err := c.dial(port); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

func (c *Client) dial(port int) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("load: open socket: %w", err)
	}
	c.conns = append(c.conns, &conn{fd: fd, index: len(c.conns)})
	at := &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
	event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(len(c.conns) - 1)}
	err = errors.Join(
		unix.Connect(fd, at),
		unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1),
		unix.SetNonblock(fd, true),
		unix.EpollCtl(c.poll, unix.EPOLL_CTL_ADD, fd, &event))
	if err != nil {
		return fmt.Errorf("load: connect to port %d: %w", port, err)
	}
	return nil
}

// Close closes all connections.
func (c *Client) Close() {
	for _, conn := range c.conns {
		_ = unix.Close(conn.fd)
	}
	_ = unix.Close(c.poll)
}

// A driver decides what is sent, and when.
type driver interface {
	// tick runs before every poll: it sends what is due and tells whether the
	// run has ended.
	tick(now int64) (bool, error)
	// answered runs when an awaited group of replies is complete.
	answered(c *conn, what awaited, now int64) error
}

// run polls until the driver ends. With spin it never sleeps, which keeps a
// schedule exact and costs a CPU.
func (c *Client) run(d driver, spin bool) error {
	wait := 100
	if spin {
		wait = spinWait
	}
	heard := nanos()
	for {
		now := nanos()
		if done, err := d.tick(now); done || err != nil {
			return err
		}
		n, err := unix.EpollWait(c.poll, c.events, wait)
		if err != nil && err != unix.EINTR {
			return fmt.Errorf("load: poll: %w", err)
		}
		if n > 0 {
			heard = now
		} else if now-heard > int64(patience) {
			return fmt.Errorf("load: no reply for %v", patience)
		}
		if err := c.serve(d, max(n, 0)); err != nil {
			return err
		}
	}
}

func (c *Client) serve(d driver, n int) error {
	for _, event := range c.events[:n] {
		conn := c.conns[event.Fd]
		if event.Events&unix.EPOLLOUT != 0 {
			if err := c.flush(conn); err != nil {
				return err
			}
		}
		if event.Events&^unix.EPOLLOUT != 0 {
			if err := conn.receive(c.buf, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// send writes a request, or what the socket takes of it, and notes what answers it.
func (c *Client) send(conn *conn, request []byte, what awaited) error {
	conn.waiting = append(conn.waiting, what)
	if len(conn.unsent) > 0 {
		conn.unsent = append(conn.unsent, request...)
		return nil
	}
	n, err := conn.write(request)
	if err != nil || n == len(request) {
		return err
	}
	conn.unsent = append(conn.unsent, request[n:]...)
	return c.watch(conn, unix.EPOLLIN|unix.EPOLLOUT)
}

func (c *Client) flush(conn *conn) error {
	n, err := conn.write(conn.unsent[conn.sent:])
	if err != nil {
		return err
	}
	conn.sent += n
	if conn.sent < len(conn.unsent) {
		return nil
	}
	conn.unsent, conn.sent = conn.unsent[:0], 0
	return c.watch(conn, unix.EPOLLIN)
}

func (c *Client) watch(conn *conn, events uint32) error {
	event := unix.EpollEvent{Events: events, Fd: int32(conn.index)}
	if err := unix.EpollCtl(c.poll, unix.EPOLL_CTL_MOD, conn.fd, &event); err != nil {
		return fmt.Errorf("load: watch connection %d: %w", conn.index, err)
	}
	return nil
}
