package differ

import "syscall"

// diesWithUs makes the kernel end a server when the thread that started it
// ends, so that a test run that is killed leaves none behind.
func diesWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
