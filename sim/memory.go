package sim

import (
	"errors"
	"unsafe"

	"github.com/elares/ironcache/sim/invariant"
)

// ErrNoMemory is what Map fails with at the limit.
var ErrNoMemory = errors.New("cannot allocate memory")

// Memory hands out Go slices.
type Memory struct {
	// Limit is the most bytes that may be mapped at a time; 0: no limit.
	Limit int64

	mapped  int64
	regions map[*byte]int // sizes by first byte
}

const (
	pageSize  = 4096
	mostAlign = 2 << 20
)

// poison fills what was unmapped, so that a use after it shows.
const poison = 0xdb

// Map gives zeroed bytes, aligned to the largest power of two up to size and
// 2 MB.
func (m *Memory) Map(size int) ([]byte, error) {
	invariant.Check(size > 0 && size%pageSize == 0, "sim: regions are whole pages")
	if m.Limit > 0 && m.mapped+int64(size) > m.Limit {
		return nil, ErrNoMemory
	}
	align := pageSize
	for align*2 <= min(size, mostAlign) {
		align *= 2
	}
	raw := make([]byte, size+align)
	skip := int(-uintptr(unsafe.Pointer(&raw[0])) & uintptr(align-1))
	region := raw[skip : skip+size : skip+size]
	if m.regions == nil {
		m.regions = map[*byte]int{}
	}
	m.regions[&region[0]] = size
	m.mapped += int64(size)
	return region, nil
}

// Unmap returns a whole region.
func (m *Memory) Unmap(region []byte) {
	invariant.Check(len(region) > 0 && m.regions[&region[0]] == len(region), "sim: a whole mapped region is unmapped")
	for i := range region {
		region[i] = poison
	}
	delete(m.regions, &region[0])
	m.mapped -= int64(len(region))
}

// Discard zeroes a part.
func (m *Memory) Discard(part []byte) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(part)))
	invariant.Check(start%pageSize == 0 && len(part)%pageSize == 0, "sim: whole pages are discarded")
	clear(part)
}

// PageSize is 4096.
func (m *Memory) PageSize() int { return pageSize }

// Resident is how many bytes are mapped.
func (m *Memory) Resident() int64 { return m.mapped }
