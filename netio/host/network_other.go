//go:build !(linux && (amd64 || arm64))

package host

import "github.com/elares/ironcache/sim/env"

// PollerName tells how sockets are waited for.
func PollerName(Options) string { return portableName }

// NewNetwork gives the system's sockets.
func NewNetwork(Options) env.Network { return newPortable() }
