package env

// Memory hands out regions that the garbage collector does not scan: mmap on a
// real machine, Go byte slices in the simulator and under the race detector.
// It may be called from any thread.
type Memory interface {
	// Map gives size zeroed bytes, size > 0 and a multiple of PageSize,
	// aligned to at least 64 bytes (to size itself up to 2 MB, where the
	// system can). It fails when the system refuses.
	Map(size int) ([]byte, error)
	// Unmap returns a whole region that Map gave. The more of it holds memory,
	// the longer it takes: see Discard.
	Unmap(region []byte)
	// Discard gives the pages of a part of a region back to the system. The
	// part reads as zero afterwards, costs nothing until written, and must
	// start and end at multiples of PageSize.
	Discard(part []byte)
	// PageSize is the unit of Map and Discard, a power of two.
	PageSize() int
	// Resident tells how many bytes of memory the process holds, as the
	// system counts; 0 when unknown.
	Resident() int64
}
