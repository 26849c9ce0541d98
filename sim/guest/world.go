//go:build wasip1

package main

import (
	"encoding/binary"
	"math/rand/v2"
	"unsafe"

	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/sim/invariant"
)

// newWorld gives the doors of the simulated machine that the node runs on.
func newWorld(seed uint64) env.World {
	return env.World{Clock: clock{}, Rand: newRand(seed, 0), Network: newNetwork(), Disk: disk{}, Memory: &memory{}}
}

// clock asks the host.
type clock struct{}

func (clock) Wall() int64 { return hostWall() }

func (clock) Monotonic() int64 { return hostMonotonic() }

// chance draws from ChaCha8, as a real machine's does.
type chance struct{ *rand.ChaCha8 }

func newRand(a, b uint64) env.Rand {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], a)
	binary.LittleEndian.PutUint64(seed[8:], b)
	return chance{rand.NewChaCha8(seed)}
}

func (c chance) Fork() env.Rand { return newRand(c.Uint64(), c.Uint64()) }

// Boot equals Monotonic: simulated machines do not sleep.
func (clock) Boot() int64 { return hostMonotonic() }

// memory hands out Go slices, aligned as the doors promise.
type memory struct{ mapped int64 }

const (
	pageSize  = 4096
	mostAlign = 2 << 20
)

func (m *memory) Map(size int) ([]byte, error) {
	invariant.Check(size > 0 && size%pageSize == 0, "guest: regions are whole pages")
	align := pageSize
	for align*2 <= min(size, mostAlign) {
		align *= 2
	}
	raw := make([]byte, size+align)
	skip := int(-uintptr(unsafe.Pointer(&raw[0])) & uintptr(align-1))
	m.mapped += int64(size)
	return raw[skip : skip+size : skip+size], nil
}

// Unmap clears the region, so that a use after it shows.
func (m *memory) Unmap(region []byte) {
	clear(region)
	m.mapped -= int64(len(region))
}

func (m *memory) Discard(part []byte) { clear(part) }

func (m *memory) PageSize() int { return pageSize }

func (m *memory) Resident() int64 { return m.mapped }
