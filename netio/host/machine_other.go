//go:build !linux

package host

import "errors"

// pin fails: no other system has a way that all its versions follow.
func pin(int) error { return errors.ErrUnsupported }

func usableCPUs() []int { return []int{AnyCPU} }
