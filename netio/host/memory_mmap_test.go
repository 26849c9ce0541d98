//go:build linux && !race

package host

import "testing"

// Regions with room for growth are refused before the address space is full,
// others are not.
func TestRoomyRegionsLeaveAddressSpace(t *testing.T) {
	if testing.Short() {
		t.Skip("an emulator has less address space than a machine")
	}
	memory := NewMemory(Options{})
	const size = 1 << 40
	var regions [][]byte
	for {
		region, err := memory.Map(size)
		if err != nil {
			break
		}
		regions = append(regions, region)
		if len(regions) > 128 {
			t.Fatal("128 TB were mapped")
		}
	}
	if len(regions) < 8 {
		t.Errorf("only %d TB were mapped", len(regions))
	}
	region, err := memory.Map(1 << 20)
	if err != nil {
		t.Fatalf("a small region: %v", err)
	}
	for _, r := range append(regions, region) {
		unmap(r)
	}
}
