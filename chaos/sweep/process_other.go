//go:build !linux

package sweep

import (
	"syscall"
	"time"
)

// cpuOf is the processor time that a process has used.
func cpuOf(pid int) (time.Duration, error) { return cpuByPs(pid) }

// bound is what ties a process to its parent: nothing that this system has. A worker
// ends when its standard input does.
func bound() *syscall.SysProcAttr { return nil }
