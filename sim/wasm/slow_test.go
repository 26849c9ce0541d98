package wasm

import (
	"testing"

	"github.com/elares/ironcache/sim"
)

// A slow core takes longer to answer, and no other does; whatever is slow stays so
// in the next life.
func TestSlowCore(t *testing.T) {
	c := newCluster(t, 1, 1, 1, sim.Mix{})
	n := c.Nodes[0]
	took := func() int64 {
		if err := c.Run(c.World.Now()+1e9, func() bool { return false }); err != nil {
			t.Fatal(err)
		}
		began := c.World.Now()
		ask(t, c, n, "PING\r\n", "+PONG\r\n")
		return c.World.Now() - began
	}
	usual := took()
	for _, k := range []struct {
		core int
		more int64
		slow bool
	}{{0, 3e6, true}, {1, 3e6, false}, {AllCores, 3e6, true}, {0, 0, false}} {
		n.Slow(k.core, k.more)
		before := n.Slowed
		if now := took(); now > usual+k.more != k.slow || n.Slowed > before != k.slow {
			t.Errorf("core %d by %d: %d ns, usually %d; %d calls took longer", k.core, k.more, now, usual, n.Slowed-before)
		}
	}
	n.Slow(0, 3e6)
	n.Crash()
	n.Boot(module(t))
	if now := took(); now < usual+3e6 {
		t.Errorf("in its next life %d ns, usually %d", now, usual)
	}
}
