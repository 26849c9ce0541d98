package host

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// ThreadMeter gives a function that tells two things of the calling thread, in
// nanoseconds: the processor time it has used, and how long it was ready to run
// while others had the cores. The thread that asks for it is the one that may
// call it. Each call takes about a microsecond.
func ThreadMeter() func() (ran, waited int64) {
	// The file stays open for as long as the thread lives.
	schedule, err := os.Open("/proc/thread-self/schedstat")
	if err != nil {
		schedule = nil // a kernel without these figures
	}
	return func() (ran, waited int64) {
		var t unix.Timespec
		if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) == nil {
			ran = t.Nano()
		}
		return ran, runDelay(schedule)
	}
}

// runDelay reads the second figure of a schedstat: time spent on a run queue.
func runDelay(schedule *os.File) int64 {
	if schedule == nil {
		return 0
	}
	var line [80]byte
	n, _ := unix.Pread(int(schedule.Fd()), line[:], 0)
	fields := bytes.Fields(line[:max(n, 0)])
	if len(fields) < 2 {
		return 0
	}
	waited, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return waited
}
