package host

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

// AnyCPU leaves a thread wherever the system puts it.
const AnyCPU = -1

// Thread runs a loop on an operating system thread of its own, pinned to a CPU
// unless it is AnyCPU. The channel closes when the loop has returned. The
// thread then ends too, so that nothing else inherits its pinning.
func Thread(cpu int, loop func()) (<-chan struct{}, error) {
	started := make(chan error)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if cpu != AnyCPU {
			if err := pin(cpu); err != nil {
				started <- fmt.Errorf("host: pin a thread to CPU %d: %w", cpu, err)
				return
			}
		}
		close(started)
		loop()
	}()
	return done, <-started
}

// SetProcs lets the Go scheduler run all loops at once and one goroutine
// besides: the collector, the control plane or a piece of heavy work. Each more
// would compete with a loop for its core.
func SetProcs(loops int) { runtime.GOMAXPROCS(loops + 1) }

// Pins gives the CPU of each loop. The text is empty for no pinning, "auto" for
// the CPUs that the process may use, one after the other, or a list of CPUs
// and ranges with an optional stride as taskset and Redis write them, such as
// "0,2,4-8:2". Loops beyond the end of the list start over.
func Pins(text string, loops int) ([]int, error) {
	cpus := []int{AnyCPU}
	switch text {
	case "":
	case "auto":
		cpus = usableCPUs()
	default:
		var err error
		if cpus, err = parseCPUs(text); err != nil {
			return nil, err
		}
	}
	pins := make([]int, loops)
	for i := range pins {
		pins[i] = cpus[i%len(cpus)]
	}
	return pins, nil
}

func parseCPUs(text string) ([]int, error) {
	var cpus []int
	for part := range strings.SplitSeq(text, ",") {
		first, last, stride, err := parseRange(part)
		if err != nil {
			return nil, fmt.Errorf("host: CPU list %q: %w", text, err)
		}
		for cpu := first; cpu <= last; cpu += stride {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

// maxCPU bounds what a list may name.
const maxCPU = 1023

// parseRange reads "4", "4-8" or "4-8:2".
func parseRange(text string) (first, last, stride int, err error) {
	span, step, _ := strings.Cut(text, ":")
	from, to, ranged := strings.Cut(span, "-")
	if !ranged {
		to = from
	}
	if step == "" {
		step = "1"
	}
	for _, field := range []struct {
		text string
		to   *int
	}{{from, &first}, {to, &last}, {step, &stride}} {
		if *field.to, err = strconv.Atoi(strings.TrimSpace(field.text)); err != nil {
			return 0, 0, 0, fmt.Errorf("%q is neither a CPU nor a range", text)
		}
	}
	if first < 0 || last < first || last > maxCPU || stride < 1 {
		return 0, 0, 0, fmt.Errorf("%q is not a range of CPUs from 0 to %d", text, maxCPU)
	}
	return first, last, stride, nil
}
