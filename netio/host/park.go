//go:build linux && (amd64 || arm64)

package host

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// parkSpin is how long Park looks for a Wake before it asks the kernel to
// sleep. What a parked loop waits for is other loops' next command boundary,
// mostly nearer than a sleep and a wake-up cost.
const parkSpin = 20 * time.Microsecond

// Futex operations on words that no other process sees.
const (
	futexWait = 0 | 128
	futexWake = 1 | 128
)

// Park sleeps on the alarm itself, by futex, since the bell would come together
// with every connection's events.
func (p *poller) Park(timeout int64, soon bool) {
	state := &p.alarm.state
	if timeout != 0 && !(soon && p.spin()) && state.CompareAndSwap(awake, parked) {
		p.futexSleep(timeout)
	}
	state.Store(awake)
}

// spin looks for a Wake for a while and tells whether it came. Where loops
// have no core of their own to spin on, it does not.
func (p *poller) spin() bool {
	if p.alarm.state.Load() != awake {
		return true
	}
	if runtime.NumCPU() == 1 {
		return false
	}
	for start := time.Now(); time.Since(start) < parkSpin; {
		for range 16 {
			if p.alarm.state.Load() != awake {
				return true
			}
			Pause()
		}
	}
	return false
}

// ring wakes the loop from the kind of sleep that it is in.
func (p *poller) ring(state uint32) {
	switch state {
	case asleep:
		one := uint64(1)
		syscall.RawSyscall(syscall.SYS_WRITE, uintptr(p.bell), uintptr(unsafe.Pointer(&one)), 8)
	case parked:
		syscall.RawSyscall(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&p.alarm.state)), futexWake, 1)
	}
}

// futexSleep blocks while the alarm says parked.
func (p *poller) futexSleep(timeout int64) {
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&p.alarm.state)), futexWait, uintptr(parked), p.until(timeout), 0, 0)
}

// until is the kernel's form of a timeout: none below 0. It points into the
// poller, which does not move.
func (p *poller) until(timeout int64) uintptr {
	if timeout < 0 {
		return 0
	}
	p.timeout = unix.NsecToTimespec(timeout)
	return uintptr(unsafe.Pointer(&p.timeout))
}
