package host

import (
	"fmt"
	"runtime"
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

// CheckPins tells whether threads may run on all of these CPUs.
func CheckPins(cpus []int) error {
	for _, cpu := range cpus {
		done, err := Thread(cpu, func() {})
		if err != nil {
			return err
		}
		<-done
	}
	return nil
}

// SetProcs lets the Go scheduler run all loops at once and one goroutine
// besides: the collector or something that the program does beside them. Each more
// would compete with a loop for its core.
func SetProcs(loops int) { runtime.GOMAXPROCS(loops + 1) }

// Pins gives the CPU of each loop: those of a list in turn, over and over.
func Pins(cpus []int, loops int) []int {
	pins := make([]int, loops)
	for i := range pins {
		pins[i] = cpus[i%len(cpus)]
	}
	return pins
}
