//go:build linux && !race

package host

import (
	"testing"
	"time"

	"github.com/elares/ironcache/engine/config"
)

// With huge pages the second chunk is there before it is asked for, and none is
// handed out twice.
func TestStock(t *testing.T) {
	memory := NewMemory(Options{HugePages: config.HugePagesAlways}).(*memory)
	seen := map[*byte]bool{}
	for i := range 10 {
		region, err := memory.Map(piece)
		if err != nil {
			t.Fatal(err)
		}
		checkZero(t, region)
		if seen[&region[0]] || len(region) != piece || cap(region) != piece || address(region)%piece != 0 {
			t.Fatalf("region %d: %p, %d bytes", i, &region[0], len(region))
		}
		seen[&region[0]] = true
		fill(region)
		for until := time.Now().Add(5 * time.Second); memory.stock.full[0].Load() == nil; time.Sleep(time.Millisecond) {
			if time.Now().After(until) {
				t.Fatal("no region is made ready")
			}
		}
	}
}
