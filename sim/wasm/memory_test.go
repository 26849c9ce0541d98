package wasm

import (
	"bytes"
	"testing"
)

// A memory that was used before is empty again, and one that outgrows its room keeps
// what it holds.
func TestMemories(t *testing.T) {
	var all memories
	a := all.Allocate(0, 0)
	first := a.Reallocate(1 << 16)
	copy(first[1000:], "abc")
	longer := a.Reallocate(1 << 20)
	if &longer[0] != &first[0] || !bytes.Equal(longer[1000:1003], []byte("abc")) {
		t.Error("a memory moved although there was room")
	}
	copy(longer[1<<20-3:], "end")
	a.Free()
	b := all.Allocate(0, 0)
	again := b.Reallocate(2 << 20)
	if &again[0] != &first[0] || !bytes.Equal(again, make([]byte, 2<<20)) {
		t.Error("a memory is not used again, or not empty")
	}
	copy(again, "abc")
	if large := b.Reallocate(reserved + 1<<16); !bytes.Equal(large[:4], []byte("abc\x00")) || len(large) != reserved+1<<16 {
		t.Error("what outgrew its room is not whole")
	}
	b.Free()
	if len(all.idle) != 0 {
		t.Error("a large memory is kept")
	}
}
