// Package proc runs clusters of real processes on this machine and does to them
// what happens to processes: it kills them, stops them for a while, starts them
// again with the disk that they left.
//
// It covers what the simulator cannot see, real sockets, disks, signals and
// clocks, and so it is neither exact nor repeatable. What it promises is that it
// ends the processes that it started and no others.
package proc
