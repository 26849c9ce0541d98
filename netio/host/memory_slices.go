//go:build !linux || race

package host

import (
	"unsafe"

	"github.com/elares/ironcache/sim/env"
)

// Headroom is how many bytes are worth mapping for a value that grows: none,
// since Go memory is taken at once.
const Headroom = 0

// slicePage is the unit of Map where regions are Go slices.
const slicePage = 4096

// memory hands out Go slices: the race detector sees them, and they exist on
// every system. A region lives as long as someone holds a part of it.
type memory struct{ rss *resident }

// NewMemory gives memory from the Go heap.
func NewMemory(Options) env.Memory { return &memory{rss: newResident()} }

func (m *memory) PageSize() int { return slicePage }

func (m *memory) Resident() int64 { return m.rss.bytes() }

func (m *memory) Map(size int) ([]byte, error) {
	checkSize(size, slicePage)
	align := alignment(size, slicePage)
	raw := make([]byte, size+align)
	skip := int(-uintptr(unsafe.Pointer(&raw[0])) & uintptr(align-1))
	return raw[skip : skip+size : skip+size], nil
}

// Unmap clears the region, so that a use after it shows as a race or as zeros.
func (m *memory) Unmap(region []byte) { clear(region) }

func (m *memory) Discard(part []byte) { clear(part) }
