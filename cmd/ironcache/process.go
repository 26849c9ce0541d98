package main

import (
	"runtime/metrics"
	"syscall"
)

// heapBytes is the memory of the Go side of the process: heap, stacks and the
// runtime's own, without what was given back to the system.
func heapBytes() int64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// cpuSeconds is the processor time of the process.
func cpuSeconds() (system, user float64) {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0, 0
	}
	return seconds(usage.Stime), seconds(usage.Utime)
}

func seconds(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
