package wasm

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/door"
)

// spinning is a module that reads its clock for ever:
//
//	(import "ironcache" "monotonic" (func (result i64)))
//	(memory (export "memory") 1)
//	(func (export "_start") (loop (drop (call 0)) (br 0)))
var spinning = slices.Concat([]byte("\x00asm\x01\x00\x00\x00"),
	[]byte("\x01\x08\x02\x60\x00\x00\x60\x00\x01\x7e"),
	[]byte("\x02\x17\x01\x09ironcache\x09monotonic\x00\x01"),
	[]byte("\x03\x02\x01\x00"),
	[]byte("\x05\x03\x01\x00\x01"),
	[]byte("\x07\x13\x02\x06memory\x02\x00\x06_start\x00\x01"),
	[]byte("\x0a\x0c\x01\x0a\x00\x03\x40\x10\x00\x1a\x0c\x00\x0b\x0b"))

// A node that never waits ends, and so does the run.
func TestStuck(t *testing.T) {
	r, err := NewRuntime(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close(t.Context())
	m, err := r.Compile(t.Context(), spinning)
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
