//go:build unix

package host

import (
	"syscall"

	"github.com/elares/ironcache/sim/env"
)

// restrict sets the permissions of a unix socket before its file exists, so
// that there is no moment at which others may connect. Systems that do not
// look at them then get them from the chmod that follows.
func restrict(fd uintptr, at env.ListenAddress) {
	if at.Network == "unix" && at.Perm != 0 {
		syscall.Fchmod(int(fd), at.Perm)
	}
}

// setBacklog listens again, which only changes the length of the queue: package
// net always asks for the system's maximum.
func setBacklog(fd uintptr, backlog int) {
	syscall.Listen(int(fd), backlog)
}
