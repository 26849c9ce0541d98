//go:build (amd64 || arm64) && !race

package keyspace

import "unsafe"

// prefetch asks for the cache line at p. It never faults.
//
//go:noescape
func prefetch(p unsafe.Pointer)

// prefetchPair asks for the lines of the 88 bytes at p: two, or three.
// They hold a key of 16 bytes with a value of 64.
//
//go:noescape
func prefetchPair(p unsafe.Pointer)

// prefetchWords asks for the lines of the 48 bytes at p: one, or two. They hold
// the words of a table that a search most likely looks at.
//
//go:noescape
func prefetchWords(p unsafe.Pointer)
