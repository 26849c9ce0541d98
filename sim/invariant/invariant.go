// Package invariant states what must hold. Check is always on and stops the
// process: a broken invariant means that the program's reasoning failed, never
// that a caller, a peer or a disk sent something bad.
package invariant

// Deep turns on checks that walk a whole structure. Tests of such structures
// set it; all else leaves it off.
var Deep = false

// Check panics with the broken promise unless ok holds.
func Check(ok bool, promise string) {
	if !ok {
		fail(promise)
	}
}

//go:noinline
func fail(promise string) { panic("invariant broken: " + promise) }
