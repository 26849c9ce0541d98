//go:build linux && (amd64 || arm64)

package host

import (
	"testing"

	"github.com/elares/ironcache/sim/env"
	"golang.org/x/sys/unix"
)

var socketOptions = map[string]struct{ level, name int }{
	"nodelay":   {unix.IPPROTO_TCP, unix.TCP_NODELAY},
	"keepalive": {unix.SOL_SOCKET, unix.SO_KEEPALIVE},
	"idle":      {unix.IPPROTO_TCP, unix.TCP_KEEPIDLE},
	"interval":  {unix.IPPROTO_TCP, unix.TCP_KEEPINTVL},
	"count":     {unix.IPPROTO_TCP, unix.TCP_KEEPCNT},
}

func checkOptions(t *testing.T, conn env.Conn, want map[string]int) {
	t.Helper()
	for name, value := range want {
		option := socketOptions[name]
		got, err := unix.GetsockoptInt(int(conn), option.level, option.name)
		if err != nil || got != value {
			t.Errorf("%s is %d, %v; want %d", name, got, err, value)
		}
	}
}
