//go:build (!amd64 && !arm64) || race

package keyspace

import "unsafe"

func prefetch(unsafe.Pointer) {}

func prefetchPair(unsafe.Pointer) {}

func prefetchWords(unsafe.Pointer) {}
