package host

import (
	"sync"

	"golang.org/x/sys/unix"
)

// pin keeps the calling thread on one CPU.
func pin(cpu int) error {
	var set unix.CPUSet
	set.Set(cpu)
	return unix.SchedSetaffinity(0, &set)
}

// UsableCPUs lists the CPUs that the process may use, as of the first call: it
// comes before threads are pinned.
var UsableCPUs = sync.OnceValue(func() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return []int{AnyCPU}
	}
	var cpus []int
	for cpu := 0; len(cpus) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
})

// physicalMemory is the machine's, in bytes; 0 when unknown.
func physicalMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}
