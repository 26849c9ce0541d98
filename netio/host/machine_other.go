//go:build !linux

package host

import "errors"

// pin fails: no other system has a way that all its versions follow.
func pin(int) error { return errors.ErrUnsupported }

// UsableCPUs knows of none that a thread could be pinned to.
func UsableCPUs() []int { return []int{AnyCPU} }
