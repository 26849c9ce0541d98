// Package env holds the doors to everything that is not decided by the program
// itself: time, chance, the network, the disk and memory. Code that goes
// through these doors runs unchanged on a real machine (netio/host) and inside
// a simulated one (sim). The package holds contracts only; it never does I/O.
//
// The promise that callers rely on: a value or event that two runs of one seed
// could see differently enters the program through a door of this package.
package env

// World gathers the doors of one node.
type World struct {
	Clock   Clock
	Rand    Rand
	Network Network
	Disk    Disk
	Memory  Memory
}

// Clock tells the time. Both readings may be taken from any thread.
type Clock interface {
	// Wall is the civil time in nanoseconds since 1970-01-01 UTC. It may jump.
	Wall() int64
	// Monotonic is nanoseconds since an arbitrary moment. It never goes back.
	// While the machine sleeps it may stand still.
	Monotonic() int64
	// Boot is like Monotonic, and goes on while the machine sleeps: what leases
	// are counted by. It may cost more to read.
	Boot() int64
}

// Rand draws chance. One Rand belongs to one loop; it is not safe for
// concurrent use.
type Rand interface {
	// Uint64 is uniform over all 64-bit values.
	Uint64() uint64
	// Fork gives an independent stream, for a new owner.
	Fork() Rand
}
