//go:build !linux

package host

import (
	"errors"
	"testing/fstest"
)

// pin fails: no other system has a way that all its versions follow.
func pin(int) error { return errors.ErrUnsupported }

func usableCPUs() []int { return []int{AnyCPU} }

// thisCgroup is empty: only Linux has such limits.
func thisCgroup() cgroup { return cgroup{fstest.MapFS{}} }
