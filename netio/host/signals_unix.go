//go:build unix

package host

import "syscall"

const sigusr1 = syscall.SIGUSR1
