// Package linearize judges histories of operations on a key-value store: it
// tells whether each key behaved as if every operation had taken effect at one
// moment between its call and its return. The search is porcupine's; the
// models, what they know of expiry, restarts and failovers, the limits and the
// verdicts are here.
//
// It does no I/O except to the readers and writers that it is handed, knows
// nothing of servers, and never reads a clock: limits are counts, so that a
// history has the same verdict on every machine.
//
// The promise that callers rely on: Violated is said only of a key for which
// no order of its operations explains what was observed, and OK only of a key
// for which one was found. Whatever lies between is Unknown.
package linearize
