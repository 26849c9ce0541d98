// Package raftlog runs the control plane of a node: the Raft group in which a
// cluster decides who owns which slot, run by hashicorp/raft as it is, over the
// doors of sim/env. Package state is what is decided, store what must not be
// forgotten, bus what is said between nodes.
//
// The promise that callers rely on: a View, once published, is what the log
// decided up to its entry; a lease is given to the node only together with all
// that the log had decided before it; and an entry that Propose reports as
// accepted was applied here.
//
// User data never passes through it.
package raftlog
