//go:build linux

package load

import (
	"fmt"
	"syscall"
	"unsafe"
)

type conn struct {
	fd      int
	index   int
	unsent  []byte
	sent    int       // unsent[:sent] is on its way
	waiting []awaited // in the order of their requests
	head    int       // waiting[:head] is answered
	opening []byte    // the first bytes of the last reply awaited whole
}

// write gives bytes to the socket without blocking and tells how many it took.
// RawSyscall is safe for a non-blocking socket and spares the scheduler.
func (c *conn) write(p []byte) (int, error) {
	n, _, code := syscall.RawSyscall(syscall.SYS_WRITE, uintptr(c.fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	if code == syscall.EAGAIN || code == syscall.EINTR {
		return 0, nil
	}
	if code != 0 {
		return 0, fmt.Errorf("load: write to connection %d: %w", c.index, code)
	}
	return int(n), nil
}

func (c *conn) read(p []byte) (int, error) {
	n, _, code := syscall.RawSyscall(syscall.SYS_READ, uintptr(c.fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	if code == syscall.EAGAIN || code == syscall.EINTR {
		return 0, nil
	}
	if code != 0 {
		return 0, fmt.Errorf("load: read from connection %d: %w", c.index, code)
	}
	if n == 0 {
		return 0, fmt.Errorf("load: the server closed connection %d", c.index)
	}
	return int(n), nil
}

// receive reads once and books what came on the groups that wait for it.
func (c *conn) receive(buf []byte, d driver) error {
	n, err := c.read(buf)
	if err != nil {
		return err
	}
	now := nanos()
	for rest := buf[:n]; len(rest) > 0; {
		if c.head == len(c.waiting) {
			return fmt.Errorf("load: more replies than requests: %.80q", rest)
		}
		used, done, err := c.book(rest)
		if err != nil {
			return err
		}
		rest = rest[used:]
		if !done {
			continue
		}
		if err := d.answered(c, c.pop(), now); err != nil {
			return err
		}
	}
	return nil
}

// book gives bytes to the group at the head and tells whether it is complete.
func (c *conn) book(p []byte) (used int, done bool, err error) {
	group := &c.waiting[c.head]
	if group.form == byReply {
		c.opening = append(c.opening, p[:min(len(p), 64-len(c.opening))]...)
	}
	used, err = group.take(p)
	return used, group.done(), err
}

func (c *conn) pop() awaited {
	group := c.waiting[c.head]
	c.head++
	if c.head == len(c.waiting) {
		c.waiting, c.head = c.waiting[:0], 0
	} else if c.head >= 4096 {
		c.waiting, c.head = c.waiting[:copy(c.waiting, c.waiting[c.head:])], 0
	}
	return group
}
