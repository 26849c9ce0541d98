//go:build linux && (amd64 || arm64)

package host

import (
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/sim/invariant"
	"golang.org/x/sys/unix"
)

const (
	// maxReady is how many events one Wait can fetch.
	maxReady = 512
	// maxTransfer bounds one read or write: a longer raw call would hold up
	// the collector's stop of the world, and with it every loop.
	maxTransfer = 256 << 10
)

// watch is what a poller knows of a descriptor.
type watch uint8

const (
	watched   watch = 1 << iota // the poller owns the descriptor
	wantRead                    // Readable is reported
	wantWrite                   // Writable is reported
	listening                   // a listener
	resting                     // a listener that found no descriptor free, see rest
)

// poller is one epoll instance. A Conn is the descriptor itself.
type poller struct {
	network *epollNetwork
	epoll   int
	bell    int  // an eventfd that Wake rings
	precise bool // the kernel takes timeouts in nanoseconds
	alarm   alarm

	watches   []watch // by descriptor
	listeners map[env.Conn]*listener
	resting   int       // listeners with the resting flag
	restUntil time.Time // when resting > 0

	timeout unix.Timespec
	ready   [maxReady]unix.EpollEvent
}

// alarm keeps the word that other threads write on a cache line of its own.
type alarm struct {
	_     [64]byte
	state atomic.Uint32
	_     [60]byte
}

func newPoller(network *epollNetwork) (*poller, error) {
	p := &poller{network: network, listeners: map[env.Conn]*listener{}}
	var err error
	if p.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, fmt.Errorf("host: open epoll: %w", err)
	}
	if p.bell, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err != nil {
		unix.Close(p.epoll)
		return nil, fmt.Errorf("host: open eventfd: %w", err)
	}
	// Each ring of an edge-triggered bell is reported once, so nobody needs to
	// read it. It is closed when no thread can reach the poller any more: a
	// late Wake must not ring somebody else's descriptor.
	runtime.AddCleanup(p, func(fd int) { unix.Close(fd) }, p.bell)
	bell := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET&0xffffffff, Fd: int32(p.bell)}
	if err := unix.EpollCtl(p.epoll, unix.EPOLL_CTL_ADD, p.bell, &bell); err != nil {
		unix.Close(p.epoll)
		return nil, fmt.Errorf("host: watch eventfd: %w", err)
	}
	_, errno := p.sleepPrecise(1, 0)
	p.precise = errno == 0
	return p, nil
}

func (p *poller) Read(conn env.Conn, b []byte) (int, error) {
	size := min(len(b), maxTransfer)
	for {
		n, _, errno := syscall.RawSyscall(syscall.SYS_READ, uintptr(conn), uintptr(unsafe.Pointer(&b[0])), uintptr(size))
		switch {
		case errno == 0 && n > 0:
			return int(n), nil
		case errno == 0:
			return 0, io.EOF
		case errno != syscall.EINTR:
			return 0, failure(errno)
		}
	}
}

func (p *poller) Write(conn env.Conn, b []byte) (int, error) {
	size := min(len(b), maxTransfer)
	for {
		n, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, uintptr(conn), uintptr(unsafe.Pointer(&b[0])), uintptr(size),
			unix.MSG_NOSIGNAL, 0, 0)
		switch {
		case errno == 0:
			return int(n), nil
		case errno != syscall.EINTR:
			return 0, failure(errno)
		}
	}
}

func (p *poller) WantRead(conn env.Conn, on bool) { p.want(conn, wantRead, on) }

func (p *poller) WantWrite(conn env.Conn, on bool) { p.want(conn, wantWrite, on) }

// Gone asks for the peer's shutdown, which unread bytes do not hide.
func (p *poller) Gone(conn env.Conn) bool {
	const ends = unix.POLLRDHUP | unix.POLLHUP | unix.POLLERR
	asked := []unix.PollFd{{Fd: int32(conn), Events: ends}}
	n, err := unix.Poll(asked, 0)
	return err == nil && n > 0 && asked[0].Revents&ends != 0
}

func (p *poller) want(conn env.Conn, flag watch, on bool) {
	prior := p.of(conn)
	next := prior &^ flag
	if on {
		next |= flag
	}
	if next != prior {
		p.watches[conn] = next
		errno := p.epollCtl(unix.EPOLL_CTL_MOD, conn, next)
		invariant.Check(errno == 0, "what is watched can be changed")
	}
}

// of gives what is known of a watched descriptor.
func (p *poller) of(conn env.Conn) watch {
	invariant.Check(uint(conn) < uint(len(p.watches)) && p.watches[conn]&watched != 0, "a poller's own connection is named")
	return p.watches[conn]
}

// add starts to watch a descriptor.
func (p *poller) add(conn env.Conn, flags watch) error {
	for int(conn) >= len(p.watches) {
		p.watches = append(p.watches, 0)
	}
	if errno := p.epollCtl(unix.EPOLL_CTL_ADD, conn, flags); errno != 0 {
		return fmt.Errorf("host: watch descriptor %d: %w", conn, errno)
	}
	p.watches[conn] = watched | flags
	return nil
}

// epollCtl tells the kernel. The kernel reports errors and hang-ups always; of
// a connection that wants nothing it reports each only once, by the edge, so
// that a dead peer does not keep the loop awake.
func (p *poller) epollCtl(op int, conn env.Conn, flags watch) syscall.Errno {
	event := unix.EpollEvent{Fd: int32(conn)}
	if flags&(wantRead|resting) == wantRead {
		event.Events |= unix.EPOLLIN
	}
	if flags&wantWrite != 0 {
		event.Events |= unix.EPOLLOUT
	}
	if event.Events == 0 {
		event.Events = unix.EPOLLET & 0xffffffff
	}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_EPOLL_CTL, uintptr(p.epoll), uintptr(op), uintptr(conn),
		uintptr(unsafe.Pointer(&event)), 0, 0)
	return errno
}

func (p *poller) KeepAlive(conn env.Conn, seconds int) {
	p.of(conn)
	if seconds <= 0 {
		unix.SetsockoptInt(int(conn), unix.SOL_SOCKET, unix.SO_KEEPALIVE, 0)
		return
	}
	// A unix socket refuses the last three, and needs no probes.
	unix.SetsockoptInt(int(conn), unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1)
	unix.SetsockoptInt(int(conn), unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, seconds)
	unix.SetsockoptInt(int(conn), unix.IPPROTO_TCP, unix.TCP_KEEPINTVL, max(seconds/3, 1))
	unix.SetsockoptInt(int(conn), unix.IPPROTO_TCP, unix.TCP_KEEPCNT, 3)
}

func (p *poller) Detach(conn env.Conn) {
	p.of(conn)
	errno := p.epollCtl(unix.EPOLL_CTL_DEL, conn, 0)
	invariant.Check(errno == 0, "a watched connection can be detached")
	p.watches[conn] = 0
}

func (p *poller) Attach(conn env.Conn) error { return p.add(conn, wantRead) }

func (p *poller) Close(conn env.Conn) {
	flags := p.of(conn)
	p.watches[conn] = 0
	if flags&listening != 0 {
		p.closeListener(conn, flags)
		return
	}
	p.discard(conn)
	unix.Close(int(conn))
	if p.resting > 0 {
		p.restUntil = time.Time{} // a descriptor is free
	}
}

// discard drops what the peer sent and nobody read: with such bytes left,
// close would reset the connection and the peer could lose our last words.
func (p *poller) discard(conn env.Conn) {
	const some = 1 << 20
	syscall.RawSyscall6(syscall.SYS_RECVFROM, uintptr(conn), 0, some, unix.MSG_TRUNC|unix.MSG_DONTWAIT, 0, 0)
}

func (p *poller) Shut() {
	for fd, flags := range p.watches {
		if flags&watched != 0 {
			p.Close(env.Conn(fd))
		}
	}
	if p.epoll >= 0 {
		unix.Close(p.epoll)
	}
	p.epoll = -1
}

// Address tells where a listener listens, with the port that the system chose.
func (p *poller) Address(conn env.Conn) string { return p.listeners[conn].address }
