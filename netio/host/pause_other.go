//go:build !amd64 && !arm64

package host

// Pause does nothing where there is no such instruction.
func Pause() {}
