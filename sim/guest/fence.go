//go:build wasip1

package main

import (
	"unsafe"

	"github.com/elares/ironcache/raftlog"
)

// tellFence tells the host that replies of some slots were released, or not:
// what its judge of leases looks at.
func tellFence(touched []uint16, v *raftlog.View, released bool) {
	hostFence(unsafe.Pointer(&touched[0]), int32(len(touched)), int32(v.Self), flag(released))
}
