package host

import (
	"os"
	"runtime"
)

// thisCgroup is where the limits of this process are written. Other systems
// than Linux have no such files, and so no limits.
func thisCgroup() cgroup { return cgroup{os.DirFS("/")} }

// Cores tells how many cores the process may keep busy: those it is allowed to
// run on, or what the quota of its cgroups pays for. A fraction is rounded
// down, since loops that together outrun a quota are all stopped for the rest
// of each period, tens of milliseconds. At least 1.
func Cores() int {
	cores := runtime.NumCPU()
	if quota := thisCgroup().cores(); quota > 0 {
		cores = min(cores, int(quota))
	}
	return max(cores, 1)
}

// MemoryLimit tells how many bytes of memory the process may hold: the
// machine's, or the lowest limit of its cgroups. 0 when unknown.
func MemoryLimit() int64 {
	limit := physicalMemory()
	if group := thisCgroup().memory(); group > 0 && (limit == 0 || group < limit) {
		limit = group
	}
	return limit
}
