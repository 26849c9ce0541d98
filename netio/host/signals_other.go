//go:build !unix

package host

import "syscall"

// sigusr1 is one that is ignored already: there is no such signal.
const sigusr1 = syscall.SIGHUP
