package host

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals gives the requests to stop, SIGINT and SIGTERM; a second one can
// still be read while the first is served. stop restores what they did before.
// SIGHUP is ignored, so that a node outlives the terminal it was started from.
func Signals() (requests <-chan os.Signal, stop func()) {
	signal.Ignore(syscall.SIGHUP)
	channel := make(chan os.Signal, 2)
	signal.Notify(channel, os.Interrupt, syscall.SIGTERM)
	return channel, func() { signal.Stop(channel) }
}
