//go:build linux && !race

package host

import (
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// stock has regions of one piece ready whose memory the system has already
// given. The first write to a huge page has the system clear 2 MB, which no
// loop should wait for.
type stock struct {
	memory *memory
	spare  [2]atomic.Pointer[byte]
	aside  Aside
}

// hugeByItself tells that the system uses huge pages unasked.
func hugeByItself() bool {
	text, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && strings.Contains(string(text), "[always]")
}

// take gives a region, nil if none is ready, and has another made ready. It asks
// for that last: what is made ready before the region is gone is too little.
func (s *stock) take() (region []byte) {
	for i := range s.spare {
		if start := s.spare[i].Swap(nil); start != nil {
			region = unsafe.Slice(start, piece)
			break
		}
	}
	s.aside.Do(s.fill)
	return region
}

// fill makes regions ready until there are enough.
func (s *stock) fill() {
	for i := range s.spare {
		if s.spare[i].Load() != nil {
			continue
		}
		region, err := s.memory.mapNew(piece)
		if err != nil {
			return
		}
		populate(region)
		s.spare[i].Store(unsafe.SliceData(region))
	}
}

// populate has the system give the memory of a region now.
func populate(region []byte) {
	errno := advise(region, unix.MADV_POPULATE_WRITE)
	if errno == 0 || errno == syscall.ENOMEM {
		return // without memory the first write will tell
	}
	for at := 0; at < len(region); at += os.Getpagesize() { // a kernel before 5.14
		region[at] = 0
	}
}
