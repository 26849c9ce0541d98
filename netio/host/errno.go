//go:build linux && (amd64 || arm64)

package host

import (
	"syscall"

	"github.com/elares/ironcache/sim/env"
)

// failure gives the door's error for a failed call. An errno below 256 becomes
// an error without an allocation.
func failure(errno syscall.Errno) error {
	switch errno {
	case syscall.EAGAIN:
		return env.ErrAgain
	case syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOBUFS:
		return env.ErrTooMany
	case syscall.ECONNREFUSED:
		return env.ErrRefused
	case syscall.ECONNRESET, syscall.EPIPE, syscall.ETIMEDOUT, syscall.ECONNABORTED, syscall.ENOTCONN,
		syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ENETDOWN, syscall.EHOSTDOWN, syscall.ENETRESET:
		return env.ErrReset
	}
	return errno
}
