package host

import (
	"os"
	"runtime/debug"
)

// heapFloor is the Go memory, in bytes, that is never too much.
const heapFloor = 64 << 20

// LimitHeap tells the collector how much memory the Go side of the process may
// take. memory is what the process may hold (MemoryLimit), store what of it is
// promised to values, which live off the heap and which the collector cannot
// see; with either unknown (0) it does nothing. Go gets nine tenths of the
// rest: near the end the collector works harder before the system kills the
// process. GOMEMLIMIT wins where it is set.
//
// The pace of collections stays at Go's own 100%. The heap holds connections
// and the control plane, a few megabytes, and serving allocates nothing, so that
// collections are rare and short; a higher figure would only make the process
// larger.
func LimitHeap(memory, store int64) {
	if memory > 0 && store > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max((memory-store)/10*9, heapFloor))
	}
}
