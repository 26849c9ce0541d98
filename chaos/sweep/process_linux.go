package sweep

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// cpuOf is the processor time that a process has used, by its clock (clock_getcpuclockid).
func cpuOf(pid int) (time.Duration, error) {
	const sched = 2 // of a whole process, as the scheduler counts it
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|sched), &t); err != nil {
		return cpuByPs(pid)
	}
	return time.Duration(t.Nano()), nil
}

// bound is what ties a process to its parent: the system ends it with the thread that
// has started it.
func bound() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
