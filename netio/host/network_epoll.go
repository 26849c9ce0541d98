//go:build linux && (amd64 || arm64)

package host

import "github.com/elares/ironcache/sim/env"

// PollerName tells how sockets are waited for.
func PollerName(options Options) string {
	if options.Portable {
		return portableName
	}
	return "epoll"
}

// NewNetwork gives the system's sockets.
func NewNetwork(options Options) env.Network {
	if options.Portable {
		return newPortable()
	}
	return &epollNetwork{groups: map[env.ListenAddress]*group{}}
}
