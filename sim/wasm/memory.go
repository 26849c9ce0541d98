package wasm

import (
	"sync"

	"github.com/tetratelabs/wazero/experimental"
)

// memories are what instances had for their memory and do not need any more. Taking
// one of them is cheaper than to let a new one grow, which copies it again and again.
type memories struct {
	mu   sync.Mutex
	idle [][]byte // with length 0, and zero all over
}

// reserved is how many bytes a memory can have without being copied: more than a
// node needs in half a minute. What is not touched costs nothing.
const reserved = 48 << 20

// mostIdle bounds how many are kept.
const mostIdle = 32

// Allocate gives a memory.
func (m *memories) Allocate(_, _ uint64) experimental.LinearMemory {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.idle)
	if n == 0 {
		return &memory{of: m, bytes: make([]byte, 0, reserved)}
	}
	bytes := m.idle[n-1]
	m.idle = m.idle[:n-1]
	return &memory{of: m, bytes: bytes}
}

// memory is that of one instance.
type memory struct {
	of    *memories
	bytes []byte
}

// Reallocate makes it longer.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m.bytes)) {
		longer := make([]byte, size, max(size, 2*uint64(cap(m.bytes))))
		copy(longer, m.bytes)
		m.bytes = longer
	}
	m.bytes = m.bytes[:size]
	return m.bytes
}

// Free keeps it for another instance.
func (m *memory) Free() {
	if m.bytes == nil {
		return
	}
	clear(m.bytes)
	m.of.mu.Lock()
	defer m.of.mu.Unlock()
	if cap(m.bytes) == reserved && len(m.of.idle) < mostIdle {
		m.of.idle = append(m.of.idle, m.bytes[:0])
	}
	m.bytes = nil
}
