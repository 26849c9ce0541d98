//go:build amd64 || arm64

package host

// Pause tells the core that the thread spins, for some tens of cycles: it saves
// power and leaves the core's units to its sibling.
func Pause()
