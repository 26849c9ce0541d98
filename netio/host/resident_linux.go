package host

import (
	"os"
	"strconv"
	"strings"
)

// resident reads how many bytes of memory the process holds. The file stays
// open, since a process that ran out of descriptors still wants to know.
type resident struct {
	statm *os.File // nil where /proc is not mounted
	page  int64
}

func newResident() *resident {
	f, err := os.Open("/proc/self/statm")
	if err != nil {
		f = nil
	}
	return &resident{statm: f, page: int64(os.Getpagesize())}
}

// bytes takes the second field of statm: resident pages, shared ones included.
func (r *resident) bytes() int64 {
	if r.statm == nil {
		return 0
	}
	var line [128]byte
	n, _ := r.statm.ReadAt(line[:], 0)
	fields := strings.Fields(string(line[:n]))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * r.page
}
