// Package differ talks to two servers that should be indistinguishable, a
// redis-server and ours, and says where they are not. It replays the written
// conversations of engine/command/testdata/scripts and seeded streams of random
// commands, and shrinks a stream that found a difference to a short script.
//
// It never looks inside a server: everything goes over the wire. What it
// promises is that a difference it does not report is either absent, or named
// with its reason in accepted.go, or about a reply that no two runs of the same
// server share (see compare.go).
package differ
