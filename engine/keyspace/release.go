package keyspace

import "github.com/elares/ironcache/sim/env"

// Release is memory on its way back to the system.
type Release struct {
	part  []byte
	first uint32 // page number of the part
	whole bool   // a region that is to be unmapped
	done  int    // bytes of it that are discarded already
}

// releasePiece bounds one call to the system: a longer one would hold up the
// collector, and with it every loop.
const releasePiece = 2 << 20

// Bytes is the size of the memory.
func (r Release) Bytes() int { return len(r.part) }

// Run gives the memory back in pieces of at most 2 MB. Any thread may call it.
func (r Release) Run(mem env.Memory) {
	for !r.piece(mem) {
	}
}

// piece gives the next piece back and tells whether it was the last.
func (r *Release) piece(mem env.Memory) bool {
	switch rest := len(r.part) - r.done; {
	case !r.whole:
		mem.Discard(r.part)
		return true
	case len(r.part) > releasePiece && rest > 0:
		n := min(rest, releasePiece)
		mem.Discard(r.part[r.done : r.done+n])
		r.done += n
		return false
	}
	mem.Unmap(r.part)
	return true
}

// Released tells the store that Run is done.
func (s *Store) Released(r Release) {
	if !r.whole {
		n := len(r.part) / pageBytes
		s.freed(r.first/uint32(s.perChunk), int(r.first)%s.perChunk, n)
	}
}

// postpone keeps a release for Work.
func (s *Store) postpone(r Release) { s.releases = append(s.releases, r) }
