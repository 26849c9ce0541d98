package host

import (
	"os"
	"os/signal"
	"syscall"
)

// Outlive ignores the signals that are no reason for a node to end: SIGHUP,
// when the terminal that it was started from goes away; SIGPIPE, when whoever
// reads its standard output or error does; and, with SIGHUP again, SIGUSR1,
// which tools that rotate logs send.
func Outlive() { signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE, sigusr1) }

// Signals gives the requests to stop, SIGINT and SIGTERM; a second one can
// still be read while the first is served. stop restores what they did before.
func Signals() (requests <-chan os.Signal, stop func()) {
	channel := make(chan os.Signal, 2)
	signal.Notify(channel, os.Interrupt, syscall.SIGTERM)
	return channel, func() { signal.Stop(channel) }
}
