package bus

import (
	"errors"
	"io"
	"log/slog"
	"net"

	"github.com/elares/ironcache/raftlog/sparing"
	"github.com/elares/ironcache/sim/env"
)

// strange writes to a log what strangers make happen, each kind of it sparingly. It is
// under the bus's lock.
type strange struct {
	log   *slog.Logger
	clock env.Clock
	kinds [kinds]sparing.Kind
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

// warn writes a line, and tells whether it did.
func (s *strange) warn(k kind, text string, args ...any) bool {
	args, ok := s.kinds[k].Line(s.clock.Monotonic(), args...)
	if ok {
		s.log.Warn(text, args...)
	}
	return ok
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
