// Package play runs a plan: it makes the cluster, lets clients ask and faults
// happen, heals all, waits for the cluster to serve again, and has the judges look
// at what was left behind.
//
// The promise that callers rely on: equal plans and equal modules give equal
// results, the trace included.
package play
