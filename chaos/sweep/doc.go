// Package sweep runs the plans of many seeds on all cores of a machine, adds up
// what came of them, and files what failed so that it can be run again.
//
// The promise that callers rely on: which seeds are run together, and on how many
// cores, changes nothing of what comes of each.
package sweep
