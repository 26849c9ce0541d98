//go:build linux && (amd64 || arm64)

package host

import (
	"math"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"github.com/elares/ironcache/sim/env"
	"golang.org/x/sys/unix"
)

// A poller's alarm is in one of these states:
//
//	awake --Wait, nothing ready--> asleep --Wake, rings the bell--> called
//	awake --Park--> parked --Wake, wakes the futex--> called
//	awake --Wake, no system call--> called
//	any --Wait or Park returns--> awake
//
// A Wake that comes before a Wait returns is answered by that return, a later
// one by the next. So whoever first publishes work and then calls Wake knows
// that the loop looks for work afterwards.
const (
	awake uint32 = iota
	asleep
	parked
	called
)

func (p *poller) Wake() {
	if p.alarm.state.Load() == called {
		return
	}
	p.ring(p.alarm.state.Swap(called))
	runtime.KeepAlive(p)
}

// Wait first asks without blocking by a raw system call, which costs the
// scheduler nothing; only with nothing ready it lets the scheduler know and
// blocks. It may return early with no events, as after Wake, when a signal
// arrives.
func (p *poller) Wait(events []env.Event, timeout int64) (int, error) {
	if p.resting > 0 {
		timeout = p.rest(timeout)
	}
	limit := min(len(events), maxReady)
	n, _, errno := syscall.RawSyscall6(syscall.SYS_EPOLL_PWAIT, uintptr(p.epoll), uintptr(unsafe.Pointer(&p.ready[0])), uintptr(limit), 0, 0, 0)
	if errno != 0 {
		return 0, waitError(errno)
	}
	count := p.report(events, int(n))
	if count == 0 && timeout != 0 && p.alarm.state.CompareAndSwap(awake, asleep) {
		n, errno := p.sleep(limit, timeout)
		p.alarm.state.Store(awake)
		if errno != 0 {
			return 0, waitError(errno)
		}
		return p.report(events, n), nil
	}
	if p.alarm.state.Load() != awake {
		p.alarm.state.Store(awake)
	}
	return count, nil
}

func waitError(errno syscall.Errno) error {
	if errno == syscall.EINTR {
		return nil
	}
	return errno
}

// sleep blocks for at most timeout nanoseconds, or without a limit below 0.
func (p *poller) sleep(limit int, timeout int64) (int, syscall.Errno) {
	if p.precise {
		return p.sleepPrecise(limit, timeout)
	}
	return p.sleepRounded(limit, timeout)
}

func (p *poller) sleepPrecise(limit int, timeout int64) (int, syscall.Errno) {
	n, _, errno := syscall.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.epoll), uintptr(unsafe.Pointer(&p.ready[0])), uintptr(limit), p.until(timeout), 0, 0)
	return int(n), errno
}

// sleepRounded rounds up to milliseconds: waking too early would make the
// owner of a timer spin until it is due.
func (p *poller) sleepRounded(limit int, timeout int64) (int, syscall.Errno) {
	const unit = int64(time.Millisecond)
	milliseconds := int64(-1)
	if timeout >= 0 {
		milliseconds = min(timeout/unit+min(timeout%unit, 1), math.MaxInt32)
	}
	n, _, errno := syscall.Syscall6(syscall.SYS_EPOLL_PWAIT, uintptr(p.epoll), uintptr(unsafe.Pointer(&p.ready[0])), uintptr(limit), uintptr(milliseconds), 0, 0)
	return int(n), errno
}

// report translates what the kernel found. A broken connection is reported as
// ready for whatever is wanted of it: the call that follows tells the error.
func (p *poller) report(events []env.Event, n int) int {
	count := 0
	for i := range p.ready[:n] {
		found := &p.ready[i]
		if found.Fd == int32(p.bell) {
			continue
		}
		flags := p.watches[found.Fd]
		broken := found.Events&(unix.EPOLLERR|unix.EPOLLHUP) != 0
		event := env.Event{
			Conn:     env.Conn(found.Fd),
			Readable: flags&wantRead != 0 && (broken || found.Events&unix.EPOLLIN != 0),
			Writable: flags&wantWrite != 0 && (broken || found.Events&unix.EPOLLOUT != 0),
		}
		if event.Readable || event.Writable {
			events[count] = event
			count++
		}
	}
	return count
}
