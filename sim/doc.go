// Package sim is a simulated world: machines with clocks, chance, disks, memory
// and a network behind the doors of sim/env. One goroutine runs it all, the
// program under test included, and time passes only when somebody moves it.
//
// The promise that callers rely on: the seed and the calls made decide
// everything that happens, so that a run can be repeated from its seed.
package sim
