// Package plan says what happens to a cluster in one run: how it is made, what
// clients ask of it, which faults come when, and when all is healed. A plan is
// drawn from a seed, or written by hand: a text file that can be read, changed and
// run again.
//
// The promise that callers rely on: a plan and the bytes of the node decide the
// whole run.
package plan
