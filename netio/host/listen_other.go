//go:build !unix

package host

import "github.com/elares/ironcache/sim/env"

func restrict(uintptr, env.ListenAddress) {}

func setBacklog(uintptr, int) {}
