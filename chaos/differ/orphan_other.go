//go:build !linux

package differ

import "syscall"

// diesWithUs has no counterpart here.
func diesWithUs() *syscall.SysProcAttr { return nil }
