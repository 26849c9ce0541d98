package host

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals gives the requests to stop, SIGINT and SIGTERM; a second one can
// still be read while the first is served. stop restores what they did before.
func Signals() (requests <-chan os.Signal, stop func()) {
	channel := make(chan os.Signal, 2)
	signal.Notify(channel, os.Interrupt, syscall.SIGTERM)
	return channel, func() { signal.Stop(channel) }
}
