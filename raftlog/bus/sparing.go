package bus

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/elares/ironcache/sim/env"
)

// sparing writes to a log what strangers make happen: at most one line a second of
// each kind, with how many were left out since the one before. It is under the bus's
// lock.
type sparing struct {
	log   *slog.Logger
	clock env.Clock
	kinds [kinds]struct {
		next int64 // when there may be another line, by the monotonic clock
		left int   // how many were left out
	}
}

// kind is what a line is about.
type kind uint8

const (
	notAccepted kind = iota // the system did not give a connection
	crowded                 // it had to go for another
	cutShort                // it ended, or nothing came
	stranger                // it does not speak the protocol
	wrongSecret
	taken   // it wants another node, and knows the secret
	refused // it has proved itself, and is not let in
	kinds
)

// gap is the time between two lines of a kind, in nanoseconds.
const gap = int64(time.Second)

// warn writes a line, and tells whether it did.
func (s *sparing) warn(k kind, text string, args ...any) bool {
	of, now := &s.kinds[k], s.clock.Monotonic()
	if now < of.next {
		of.left++
		return false
	}
	if of.left > 0 {
		args = append(args, "more since the last such line", of.left)
	}
	of.next, of.left = now+gap, 0
	s.log.Warn(text, args...)
	return true
}

// kindOf tells what kind of line the reason is worth for which a connection is turned
// away.
func kindOf(err error) kind {
	for _, known := range []struct {
		err  error
		kind kind
	}{
		{errCrowded, crowded}, {ErrStranger, stranger}, {ErrSecret, wrongSecret}, {ErrOther, taken}, {errTimeout, cutShort},
		{io.EOF, cutShort}, {io.ErrUnexpectedEOF, cutShort}, {env.ErrReset, cutShort}, {net.ErrClosed, cutShort},
	} {
		if errors.Is(err, known.err) {
			return known.kind
		}
	}
	return refused
}
