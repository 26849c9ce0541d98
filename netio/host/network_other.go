//go:build !(linux && (amd64 || arm64))

package host

import "github.com/elares/ironcache/sim/env"

// NewNetwork gives the system's sockets.
func NewNetwork(Options) env.Network { return newPortable() }
