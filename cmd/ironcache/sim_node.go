package main

import (
	"context"
	"fmt"
	"os"

	"github.com/elares/ironcache/sim/wasm"
)

// simNodeCommand writes what a release holds.
type simNodeCommand struct {
	File  string `arg:"" help:"The file."`
	Later bool   `help:"As a later version of it might be, for runs with several versions."`
}

// Run builds the node of this checkout and packs it.
func (c *simNodeCommand) Run(p *program) error {
	build := wasm.Build
	if c.Later {
		build = wasm.BuildLater
	}
	text, err := build(context.Background(), ".")
	if err != nil {
		return err
	}
	packed, err := wasm.Pack(text)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.File, packed, 0o644); err != nil {
		return fmt.Errorf("write the node: %w", err)
	}
	_, err = fmt.Fprintf(p.out, "%s: %d bytes, packed to %d\n", c.File, len(text), len(packed))
	return err
}
