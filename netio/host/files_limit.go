//go:build linux || darwin

package host

import "syscall"

// RaiseFileLimit asks for so many open files and tells how many the process
// may have. More than the hard limit needs a privilege; without it the hard
// limit is what is reached. 0 means unknown.
func RaiseFileLimit(want uint64) uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	if limit.Cur >= want {
		return limit.Cur
	}
	for _, reach := range []syscall.Rlimit{
		{Cur: want, Max: max(want, limit.Max)},
		{Cur: min(want, limit.Max), Max: limit.Max},
	} {
		if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &reach) == nil {
			return reach.Cur
		}
	}
	return limit.Cur
}
