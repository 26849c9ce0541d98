// Package host is the real world behind the doors of sim/env: sockets over
// epoll, memory from mmap, the system's clocks, chance and files; and what a
// process needs around its loops: threads, limits, signals. It decides nothing
// about the protocol and never looks into the bytes that it moves.
//
// The promise that callers rely on: Wait, Read and Write allocate nothing, and
// no call that a loop makes blocks, save Wait.
package host

import (
	"github.com/elares/ironcache/engine/config"
	"github.com/elares/ironcache/sim/env"
)

// Options chooses between ways to reach the same world.
type Options struct {
	// Portable uses package net with goroutines even where epoll exists. It is
	// the only way on other systems than Linux on amd64 and arm64.
	Portable bool
	// HugePages says whether arenas ask the system for huge pages. Those make random
	// access cheaper and round what is resident up to 2 MB.
	HugePages config.HugePages
}

// portableName is the name of the way that Portable takes.
const portableName = "portable"

// NewWorld gathers the doors of one node.
func NewWorld(options Options) env.World {
	return env.World{
		Clock:   NewClock(),
		Rand:    NewRand(),
		Network: NewNetwork(options),
		Disk:    NewDisk(),
		Memory:  NewMemory(options),
	}
}
