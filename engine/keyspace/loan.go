package keyspace

import "unsafe"

// loan is a region that holds arguments of the commands that run now. Assign
// keeps a long value where it lies in there, rather than copying it.
type loan struct {
	region  []byte
	written int  // bytes from here on have never been written
	taken   bool // an extent has it
	dropped bool // that extent is gone again; the region is still being read
}

// maxLoanWaste is how many bytes before and behind a value may always lie idle
// in a region that it keeps.
const maxLoanWaste = 64 << 10

// Lend offers a region that Region gave, of which the first written
// bytes may have been written, until Recall.
func (s *Store) Lend(region []byte, written int) { s.loan = loan{region: region, written: written} }

// Recall ends the loan and tells whether the region has become the store's. It
// may then not be looked at any more.
func (s *Store) Recall() bool {
	was := s.loan
	s.loan = loan{}
	if was.dropped {
		s.GiveBack(was.region, was.written)
	}
	return was.taken
}

// lent tells that a region is the one on loan.
func (l *loan) lent(region []byte) bool {
	return len(l.region) > 0 && unsafe.SliceData(region) == unsafe.SliceData(l.region)
}

// keep makes an extent of a value where it lies, if that is in the region on
// loan and fills it well enough.
func (s *Store) keep(value []byte) (extent, bool) {
	l := &s.loan
	if len(l.region) == 0 || l.taken || len(value) <= s.maxRun {
		return extent{}, false
	}
	front := uintptr(unsafe.Pointer(unsafe.SliceData(value))) - uintptr(unsafe.Pointer(unsafe.SliceData(l.region)))
	if front > maxLoanWaste || l.written-int(front)-len(value) > waste(len(value)) {
		return extent{}, false
	}
	l.taken = true
	handle := s.adopt(mapping{region: l.region[front:], front: int(front), dirty: l.written - int(front)})
	return extent{handle, uint64(len(value))}, true
}
