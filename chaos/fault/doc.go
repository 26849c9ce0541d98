// Package fault says what can happen to a simulated cluster: one file a fault,
// and a row each in the table.
//
// Connections are streams, as TCP gives them. That a segment is lost, sent twice or
// overtaken by a later one shows to a program only as time, or as a connection that
// breaks, so there is no fault of duplicates or of another order: what loses
// segments is a partition, which holds what is sent and lets it go in a burst when it
// ends. Weather that is there in every run, as delays, short reads and
// writes and small windows, is drawn with the plan (sim.Mix). The plane of
// replication carries nothing, so no fault is about it alone.
//
// The promise that callers rely on: a fault counts as seen only when its effect
// was, not when it was asked for.
package fault
