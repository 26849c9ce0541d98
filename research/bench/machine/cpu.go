//go:build linux

// Package machine places programs on CPUs and reads what they cost: CPU time
// in nanoseconds, resident memory, and what the rest of the machine took
// meanwhile. It changes nothing but the placement of this program and of those
// that it started.
package machine

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// CPUs tells which CPUs this program may run on, in order.
func CPUs() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("machine: read CPU affinity: %w", err)
	}
	var cpus []int
	for cpu := range len(set) * 64 {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

func mask(cpus []int) *unix.CPUSet {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	return &set
}

// Pin keeps every thread of this program on the given CPUs.
func Pin(cpus ...int) error {
	return eachThread(func(id int) error { return unix.SchedSetaffinity(id, mask(cpus)) })
}

// Nice sets the priority of this program and of those it starts from then on,
// from -20 (first) to 19; below 0 takes root. Where the kernel groups tasks by
// session it is the group's priority that counts, so that is set as well.
func Nice(n int) error {
	const group = "/proc/self/autogroup"
	if err := os.WriteFile(group, []byte(strconv.Itoa(n)), 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("machine: set priority of the session: %w", err)
	}
	return eachThread(func(id int) error { return unix.Setpriority(unix.PRIO_PROCESS, id, n) })
}

func eachThread(do func(id int) error) error {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("machine: list own threads: %w", err)
	}
	for _, task := range tasks {
		id, _ := strconv.Atoi(task.Name())
		// A thread may have ended since it was listed.
		if err := do(id); err != nil && err != unix.ESRCH {
			return fmt.Errorf("machine: place thread %d: %w", id, err)
		}
	}
	return nil
}

// spent is the CPU time of all threads, past and present, of a process.
// The clock's number is what clock_getcpuclockid(3) answers.
func spent(pid int) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid)<<3|2, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// idle sums the time, in nanoseconds, that the given CPUs had nothing to do.
func idle(cpus []int) time.Duration {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	var ticks int64
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 6 || !strings.HasPrefix(fields[0], "cpu") {
			continue
		}
		cpu, err := strconv.Atoi(fields[0][3:])
		if err != nil || !slices.Contains(cpus, cpu) {
			continue
		}
		for _, field := range fields[4:6] { // idle and waiting for disk
			n, _ := strconv.ParseInt(field, 10, 64)
			ticks += n
		}
	}
	const tick = time.Second / 100 // USER_HZ is 100 on every Linux
	return time.Duration(ticks) * tick
}

// A Meter reads what a stretch of time cost a process and everybody else.
type Meter struct {
	pid    int
	cpus   []int
	wall   time.Time
	server time.Duration
	self   time.Duration
	idle   time.Duration
}

// Usage is what a Meter read.
type Usage struct {
	Wall    time.Duration
	Server  time.Duration // CPU time of the process
	Self    time.Duration // CPU time of this program
	Foreign float64       // share of the CPUs taken by all others, 0 to 1
}

// Start begins to measure a process that shares the given CPUs with this program.
func Start(pid int, cpus []int) *Meter {
	return &Meter{pid, cpus, time.Now(), spent(pid), spent(os.Getpid()), idle(cpus)}
}

// Stop tells what was used since Start.
func (m *Meter) Stop() Usage {
	u := Usage{Wall: time.Since(m.wall), Server: spent(m.pid) - m.server, Self: spent(os.Getpid()) - m.self}
	all := u.Wall * time.Duration(len(m.cpus))
	if others := all - (idle(m.cpus) - m.idle) - u.Server - u.Self; others > 0 && all > 0 {
		u.Foreign = float64(others) / float64(all)
	}
	return u
}

// Resident tells how many bytes of memory a process holds.
func Resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize())
}

// Model names the machine's processor and kernel.
func Model() (cpu, kernel string) {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			cpu = strings.TrimSpace(value)
			break
		}
	}
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	return cpu, strings.TrimSpace(string(release))
}
