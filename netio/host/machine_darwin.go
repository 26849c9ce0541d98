package host

import "golang.org/x/sys/unix"

// physicalMemory is the machine's, in bytes; 0 when unknown.
func physicalMemory() int64 {
	size, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(size)
}
