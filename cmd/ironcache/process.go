package main

import (
	"runtime/metrics"
	"syscall"
)

// heapBytes is the memory that the Go side of the process uses: what the last
// collection found alive, and stacks. Garbage is not counted: it would make the
// node evict keys for what the next collection frees.
func heapBytes() int64 {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"},
		{Name: "/memory/classes/metadata/other:bytes"},
	}
	metrics.Read(samples)
	var sum uint64
	for _, s := range samples {
		sum += s.Value.Uint64()
	}
	return int64(sum)
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
