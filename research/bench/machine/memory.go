//go:build linux

package machine

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Warm writes to a part of the memory that is free, twice, and gives it back: at most
// so many bytes, and at most half of what is available. A host that gives a virtual
// machine its memory when that is first written to has given it then. It returns how
// much that was, and how long a megabyte took, the first time and the second.
func Warm(most int64) (bytes int64, first, second time.Duration, err error) {
	available, err := available()
	if err != nil {
		return 0, 0, 0, err
	}
	bytes = min(most, available/2) &^ (1<<20 - 1)
	if bytes == 0 {
		return 0, 0, 0, fmt.Errorf("machine: %d bytes of memory are available: too little to measure with", available)
	}
	var took [2]time.Duration
	for i := range took {
		region, err := unix.Mmap(-1, 0, int(bytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE)
		if err != nil {
			return 0, 0, 0, fmt.Errorf("machine: map %d bytes: %w", bytes, err)
		}
		start := time.Now()
		for at := int64(0); at < bytes; at += int64(os.Getpagesize()) {
			region[at] = 1
		}
		took[i] = time.Since(start) / time.Duration(bytes>>20)
		if err := unix.Munmap(region); err != nil {
			return 0, 0, 0, fmt.Errorf("machine: unmap: %w", err)
		}
	}
	return bytes, took[0], took[1], nil
}

// available is how much memory the system can give, in bytes.
func available() (int64, error) {
	file, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, fmt.Errorf("machine: %w", err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var kb int64
		if n, _ := fmt.Sscanf(lines.Text(), "MemAvailable: %d kB", &kb); n == 1 {
			return kb << 10, nil
		}
	}
	return 0, fmt.Errorf("machine: /proc/meminfo does not tell MemAvailable")
}
