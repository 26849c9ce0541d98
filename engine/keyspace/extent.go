package keyspace

import (
	"errors"
	"unsafe"
)

// extent is the descriptor of contiguous memory for one long key or value.
// Unaligned in its block, so it is read and written by words only.
type extent struct {
	handle uint64 // a run: ref | pages<<runShift; a mapping: ownMapping | number
	size   uint64 // bytes in use
}

const (
	descriptorBytes = 16
	runShift        = 40
	ownMapping      = 1 << 63
	// maxRun is the largest extent that shares a chunk with others.
	maxRun = 512 << 10
)

func (x *extent) len() int { return int(x.size) }

// extents are the large values of a store.
type extents struct {
	maps   []mapping
	vacant []uint32
	pins   []*Pin
	loan   loan
	live   int64 // bytes of runs, and of what is dirty in mappings
	mapped int64 // the latter
	kept   int64 // bytes of copies that pins have
}

// errTooLarge says that no extent can have that size.
var errTooLarge = errors.New("keyspace: value too large")

// newExtent gets memory for n bytes and expects it to grow to room bytes. Only
// mappings beyond maxRun can fail.
func (s *Store) newExtent(n, room int) (uint64, error) {
	if n > MaxValue {
		return 0, errTooLarge
	}
	if room <= s.maxRun {
		return s.newRun(roundUp(max(room, 1), pageBytes) / pageBytes), nil
	}
	region, soiled, err := s.Region(s.wholePages(room), n)
	if err != nil && room > n {
		region, soiled, err = s.Region(s.wholePages(n), n)
	}
	if err != nil {
		return 0, err
	}
	return s.adopt(mapping{region: region, dirty: soiled}), nil
}

func (s *Store) newRun(n int) uint64 {
	first, err := s.take(n)
	if err != nil {
		panic(err)
	}
	*s.record(first) = page{class: classRun, pages: uint8(n)}
	s.chargeExtent(n * pageBytes)
	return uint64(first)*pageUnits | uint64(n)<<runShift
}

// extentData is where the bytes of an extent are.
func (s *Store) extentData(handle uint64) unsafe.Pointer {
	if handle&ownMapping != 0 {
		return unsafe.Pointer(unsafe.SliceData(s.mapping(handle).region))
	}
	return s.at(handle & refMask)
}

// extentBytes are the bytes in use of the extent described at p.
func (s *Store) extentBytes(p unsafe.Pointer) []byte {
	x := (*extent)(p)
	return unsafe.Slice((*byte)(s.extentData(x.handle)), x.len())
}

// extentRoom is how many bytes fit.
func (s *Store) extentRoom(handle uint64) int {
	if handle&ownMapping != 0 {
		return len(s.mapping(handle).region)
	}
	return int(handle>>runShift) * pageBytes
}

// extentHeld is how much memory the extent takes.
func (s *Store) extentHeld(handle uint64) int {
	if handle&ownMapping != 0 {
		m := s.mapping(handle)
		return m.holds(m.dirty)
	}
	return s.extentRoom(handle)
}

// touch notes that the first n bytes may be written from now on.
func (s *Store) touch(handle uint64, n int) {
	if handle&ownMapping == 0 {
		return
	}
	m := s.mapping(handle)
	if n > m.dirty {
		s.Soil(n - m.dirty)
		s.chargeMapped(m.holds(n) - m.holds(m.dirty))
		m.dirty = n
	}
}

// zero clears the bytes from first to end, leaving alone what was never written.
func (s *Store) zero(handle uint64, first, end int) {
	if handle&ownMapping != 0 {
		end = min(end, s.mapping(handle).dirty)
	}
	if first < end {
		data := unsafe.Slice((*byte)(s.extentData(handle)), end)
		clear(data[first:])
	}
}

func (s *Store) chargeExtent(n int) {
	s.account.live += int64(n)
	s.extents.live += int64(n)
}

func (s *Store) chargeMapped(n int) {
	s.chargeExtent(n)
	s.mapped += int64(n)
}

// freeExtent drops one hold of an extent.
func (s *Store) freeExtent(handle uint64) {
	if handle&ownMapping == 0 {
		n := int(handle >> runShift)
		s.chargeExtent(-n * pageBytes)
		s.give(uint32(handle&refMask/pageUnits), n)
		return
	}
	s.mapping(handle).refs--
	s.letGo(handle)
}

// shareExtent gives a second holder the same bytes: large ones by counting
// holders, small ones as a copy.
func (s *Store) shareExtent(x extent) extent {
	if x.handle&ownMapping != 0 {
		s.mapping(x.handle).refs++
		return x
	}
	handle := s.newRun(int(x.handle >> runShift))
	from, to := s.extentData(x.handle), s.extentData(handle)
	copy(unsafe.Slice((*byte)(to), x.len()), unsafe.Slice((*byte)(from), x.len()))
	return extent{handle, x.size}
}

// shared tells whether the bytes have another holder.
func (s *Store) shared(handle uint64) bool {
	return handle&ownMapping != 0 && s.mapping(handle).refs > 1
}
