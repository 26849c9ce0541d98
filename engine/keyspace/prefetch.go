//go:build (amd64 || arm64) && !race

package keyspace

import "unsafe"

// prefetch asks for the cache line at p. It never faults.
//
//go:noescape
func prefetch(p unsafe.Pointer)

// prefetchPair asks for the line at p and the next one.
//
//go:noescape
func prefetchPair(p unsafe.Pointer)
