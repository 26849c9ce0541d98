package bus

import (
	"net"
	"time"

	"github.com/hashicorp/raft"
)

// line is the queue of one kind of connection.
type line struct {
	waiting chan *Conn
	closed  bool
}

func (l *line) shut() {
	if !l.closed {
		l.closed = true
		close(l.waiting)
	}
}

// Listener gives the connections of a line.
type Listener struct {
	bus  *Bus
	name Line
	line *line
}

// Listen serves a line from now on.
func (b *Bus) Listen(name Line) *Listener {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &line{waiting: make(chan *Conn, queued)}
	b.lines[name] = l
	return &Listener{b, name, l}
}

// Accept waits for a connection.
func (l *Listener) Accept() (net.Conn, error) {
	c, ok := <-l.line.waiting
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

// Close ends the line, not its connections.
func (l *Listener) Close() error {
	l.bus.mu.Lock()
	defer l.bus.mu.Unlock()
	l.line.shut()
	for c := range l.line.waiting {
		c.close()
	}
	return nil
}

// Addr is where the bus listens.
func (l *Listener) Addr() net.Addr { return address(l.bus.address) }

// address is a network address as text.
type address string

func (address) Network() string { return "tcp" }

func (a address) String() string { return string(a) }

// Stream is a line as hashicorp/raft uses it. The library knows other nodes by
// address, and tells them its own: the names that it gets are addresses and ids.
type Stream struct {
	*Listener
	Self string // Name of this node, by which others dial it
}

// Addr is how other nodes dial this one.
func (s Stream) Addr() net.Addr { return address(s.Self) }

// Dial connects to the same line of another node.
func (s Stream) Dial(to raft.ServerAddress, patience time.Duration) (net.Conn, error) {
	c, err := s.bus.Dial(s.name, string(to), patience)
	if err != nil {
		return nil, err // not c: an interface that holds nil is not nil
	}
	return c, nil
}
