package host

import (
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/elares/ironcache/engine/config"
)

func TestMap(t *testing.T) {
	for _, pages := range []config.HugePages{config.HugePagesDefault, config.HugePagesAlways, config.HugePagesNever} {
		memory := NewMemory(Options{HugePages: pages})
		page := memory.PageSize()
		for _, size := range []int{page, 3 * page, piece - page, piece, piece + page, 5*piece + page} {
			region, err := memory.Map(size)
			if err != nil {
				t.Fatal(err)
			}
			if len(region) != size || cap(region) != size {
				t.Errorf("Map(%d) gave %d bytes, capacity %d", size, len(region), cap(region))
			}
			if align := min(size, piece); align&(align-1) == 0 && address(region)%uintptr(align) != 0 {
				t.Errorf("Map(%d) gave %#x", size, address(region))
			}
			checkZero(t, region)
			region[0], region[size-1] = 1, 1
			memory.Unmap(region)
		}
	}
}

func address(region []byte) uintptr { return uintptr(unsafe.Pointer(&region[0])) }

func checkZero(t *testing.T, b []byte) {
	t.Helper()
	for i := range b {
		if b[i] != 0 {
			t.Fatalf("byte %d is %d", i, b[i])
		}
	}
}

func fill(b []byte) {
	for i := range b {
		b[i] = 0xff
	}
}

func TestDiscard(t *testing.T) {
	memory := NewMemory(Options{})
	page := memory.PageSize()
	region, err := memory.Map(3*piece + 2*page)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Unmap(region)
	fill(region)
	part := region[page : len(region)-page]
	memory.Discard(part)
	memory.Discard(part[:0])
	checkZero(t, part)
	if region[0] != 0xff || region[page-1] != 0xff || region[len(region)-page] != 0xff {
		t.Error("Discard reached beyond the part")
	}
	fill(part)
}

func TestPieces(t *testing.T) {
	for size, want := range map[int]int{1: 1, piece: 1, piece + 1: 2, 4 * piece: 4} {
		count, total := 0, 0
		pieces(make([]byte, size), func(part []byte) {
			count, total = count+1, total+len(part)
			if len(part) > piece {
				t.Errorf("a piece of %d bytes", len(part))
			}
		})
		if count != want || total != size {
			t.Errorf("%d bytes went in %d pieces, %d bytes in all", size, count, total)
		}
	}
}

func TestResident(t *testing.T) {
	const size = 64 << 20
	memory := NewMemory(Options{HugePages: config.HugePagesNever})
	debug.FreeOSMemory() // or what other tests left would be given back meanwhile
	idle := memory.Resident()
	if idle <= 0 {
		t.Fatalf("Resident is %d", idle)
	}
	region, err := memory.Map(size)
	if err != nil {
		t.Fatal(err)
	}
	fill(region)
	if grown := memory.Resident() - idle; grown < size*9/10 {
		t.Errorf("%d bytes written, %d more resident", size, grown)
	}
	if onHeap {
		return
	}
	memory.Discard(region)
	if left := memory.Resident() - idle; left > size/10 {
		t.Errorf("%d bytes stay after Discard", left)
	}
	fill(region)
	memory.Unmap(region)
	if left := memory.Resident() - idle; left > size/10 {
		t.Errorf("%d bytes stay after Unmap", left)
	}
}
