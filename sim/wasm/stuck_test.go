package wasm

import (
	"errors"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/sim/wasm/endless"
)

// A node that never waits ends, and so does the run.
func TestStuck(t *testing.T) {
	r, err := NewRuntime(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close(t.Context())
	m, err := r.Compile(t.Context(), endless.Calling)
	if err != nil {
		t.Fatal(err)
	}
	c := NewCluster(1, sim.Mix{})
	defer c.Shut()
	c.Add(door.Start{})
	if err := c.Run(7e8, func() bool { return false }); err != nil && !errors.Is(err, ErrIdle) {
		t.Fatal(err)
	}
	n := c.Add(door.Start{})
	n.Boot(m)
	err = c.Run(1e9, func() bool { return false })
	if !errors.Is(err, ErrStuck) || !strings.Contains(err.Error(), "node 1 (life 1) went on at 700000000") || n.Up() {
		t.Errorf("%v", err)
	}
}
