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

// stock has regions of one piece ready, so that no loop waits for them. Those in
// full are of huge pages that the system has already given: the first write to
// one has it clear 2 MB, and look for them first. Those in bare are mapped and
// nothing more; they serve while full is empty. Mapping is done ahead for them
// too, since it waits for whatever else the system does to the address space of
// the process, the filling of the others included.
type stock struct {
	memory *memory
	full   shelf
	bare   shelf
	aside  Aside
}

// shelf is regions by their first bytes. Those of a full one count as resident.
type shelf [4]atomic.Pointer[byte]

// take gives a region of a shelf, nil if there is none.
func (s *shelf) take() []byte {
	for i := range s {
		if start := s[i].Swap(nil); start != nil {
			return unsafe.Slice(start, piece)
		}
	}
	return nil
}

// fill puts a region into every empty place. One thread does so.
func (s *shelf) fill(region func() []byte) {
	for i := range s {
		if s[i].Load() != nil {
			continue
		}
		r := region()
		if r == nil {
			return
		}
		s[i].Store(unsafe.SliceData(r))
	}
}

// hugeByItself tells that the system uses huge pages unasked.
func hugeByItself() bool {
	text, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && strings.Contains(string(text), "[always]")
}

// take gives a region, nil if none is ready, and has another made ready. It asks
// for that last: what is made ready before the region is gone is too little.
func (s *stock) take() (region []byte) {
	if region = s.full.take(); region == nil {
		region = s.bare.take()
	}
	s.aside.Do(s.fill)
	return region
}

// fill makes regions ready until there are enough.
func (s *stock) fill() {
	s.bare.fill(func() []byte { return s.mapped(s.memory.calm) })
	s.full.fill(func() []byte {
		region := s.mapped(unix.MADV_HUGEPAGE)
		if region != nil {
			populate(region)
		}
		s.bare.fill(func() []byte { return s.mapped(s.memory.calm) })
		return region
	})
}

// mapped maps a region, nil if the system refuses: whoever needs one is told.
func (s *stock) mapped(advice int) []byte {
	region, err := s.memory.mapNew(piece, advice)
	if err != nil {
		return nil
	}
	return region
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
