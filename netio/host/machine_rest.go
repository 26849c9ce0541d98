//go:build !linux && !darwin

package host

func physicalMemory() int64 { return 0 }
