// Package differ talks to two servers that should be indistinguishable, a
// redis-server and ours, and says where they are not. It replays the written
// conversations of engine/command/testdata/scripts and seeded streams of random
// commands, and shrinks a stream that found a difference to a short script.
//
// It never looks inside a server: everything goes over the wire. What it
// promises is that a difference it does not report is either absent, or named
// with its reason in accepted.go, or about a reply that no two runs of the same
// server share (see compare.go).
//
//	go test ./chaos/differ                          all of it, some minutes
//	go test ./chaos/differ -short                   fewer shard counts and commands
//	go test ./chaos/differ -run ScriptsOnRedis -rewrite
//	                                                regenerate the expected text
//
// The environment variables in launch.go choose the two servers, the seed and
// the number of commands. A difference found by a stream is printed as a script;
// it belongs into testdata/scripts under a name of its own.
package differ
