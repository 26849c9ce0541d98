//go:build !linux || race

package host

// onHeap tells that regions are Go slices.
const onHeap = true
