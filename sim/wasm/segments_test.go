package wasm

import (
	"bytes"
	"testing"

	"github.com/tetratelabs/wazero"
	"pgregory.net/rapid"
)

// begins is how the memory of a module begins.
func begins(t *rapid.T, r wazero.Runtime, module []byte) []byte {
	m, err := r.Instantiate(t.Context(), module)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(t.Context())
	text, _ := m.Memory().Read(0, m.Memory().Size())
	return bytes.Clone(text)
}

// withData is a module of two pages of memory and some data.
func withData(list []segment) []byte {
	module := []byte("\x00asm\x01\x00\x00\x00\x05\x03\x01\x00\x02\x07\x0a\x01\x06memory\x02\x00")
	return appendVector(append(module, dataSection), writeSegments(list))
}

// Whatever the segments, those that are joined make the same memory, and where they
// are close to each other they are fewer.
func TestJoinedSegments(t *testing.T) {
	r := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer r.Close(t.Context())
	rapid.Check(t, func(t *rapid.T) {
		var list []segment
		at := rapid.Int64Range(0, 1<<16).Draw(t, "at")
		for range rapid.IntRange(0, 8).Draw(t, "count") {
			text := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "text")
			list = append(list, segment{at, text})
			at = max(0, at+rapid.SampledFrom([]int64{-150, 0, 1, 120, 300, 2000, 9000}).Draw(t, "step"))
		}
		module := withData(list)
		few, err := joined(module)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(begins(t, r, module), begins(t, r, few)) {
			t.Errorf("the memory differs")
		}
	})
	few, err := joined(withData([]segment{{10, []byte("a")}, {11, []byte("b")}, {40, []byte("c")}, {5000, []byte("d")}, {30, []byte("e")}, {32, []byte("f")}}))
	want := withData([]segment{{10, append([]byte("ab"), append(make([]byte, 28), 'c')...)}, {5000, []byte("d")}, {30, []byte("e")}, {32, []byte("f")}})
	if err != nil || !bytes.Equal(few, want) {
		t.Errorf("%q, %v; want %q", few, err, want)
	}
}

// What comes before its predecessor in memory is joined with its own neighbours.
func TestJoinedAfterAStepBack(t *testing.T) {
	few, err := joined(withData([]segment{{9000, []byte("a")}, {10, []byte("b")}, {12, []byte("c")}, {8999, []byte("d")}, {9001, []byte("e")}}))
	want := withData([]segment{{9000, []byte("a")}, {10, []byte("b\x00c")}, {8999, []byte("d")}, {9001, []byte("e")}})
	if err != nil || !bytes.Equal(few, want) {
		t.Errorf("%q, %v; want %q", few, err, want)
	}
}

// What is cut short is refused.
func TestJoinedCutShort(t *testing.T) {
	module := withData([]segment{{10, []byte("text")}})
	const begin = 8 + 5 + 12 // where the section of data begins
	for size := range module {
		if _, err := joined(module[:size]); err == nil && size > begin {
			t.Errorf("%d of %d bytes are taken for a module", size, len(module))
		}
	}
}
