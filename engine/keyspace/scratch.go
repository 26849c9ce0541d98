package keyspace

import "unsafe"

// Scratch is memory outside of the Go heap for what one command works out. It
// is free again when the command ends, and does not count until then: in the
// heap it would count until a collection finds it gone, and push keys out.
type Scratch struct {
	store  *Store
	region []byte
	soiled int
}

// leastScratch is from how many bytes on a region is worth mapping.
const leastScratch = 64 << 10

// Scratch gives n words, all zero, and what they lie in, which is to be closed.
func (s *Store) Scratch(n int) ([]uint32, Scratch, error) {
	size := 4 * n
	if size < leastScratch {
		return make([]uint32, n), Scratch{}, nil
	}
	region, soiled, err := s.Region(s.wholePages(size), size)
	if err != nil {
		return nil, Scratch{}, err
	}
	clear(region[:min(soiled, size)])
	s.Soil(max(0, size-soiled))
	words := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(region))), n)
	return words, Scratch{s, region, max(soiled, size)}, nil
}

// Close gives the memory back.
func (x Scratch) Close() {
	if x.store != nil {
		x.store.GiveBack(x.region, x.soiled)
	}
}
