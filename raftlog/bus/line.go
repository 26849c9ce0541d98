package bus

import (
	"cmp"
	"net"
	"slices"
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

// Sever ends the connections of a line that others dialled, and waits until whoever has
// them from Accept has let go of them, so that nothing which came over them is still under
// way. It reports false if that did not come in time. Who proves itself meanwhile is not
// ended: Admit has to refuse that.
func (b *Bus) Sever(name Line, patience time.Duration) bool {
	by := time.Now().Add(patience)
	b.mu.Lock()
	defer b.mu.Unlock()
	var severed []*Conn
	for _, c := range b.conns {
		if !c.dialled && c.line == name && !c.gone {
			severed = append(severed, c)
		}
	}
	slices.SortFunc(severed, func(x, y *Conn) int { return cmp.Compare(x.id, y.id) })
	for _, c := range severed {
		c.in = nil
		b.do(func() { c.fail(net.ErrClosed) })
		c.inErr, c.outErr = net.ErrClosed, net.ErrClosed
		c.moved.Broadcast()
	}
	for _, c := range severed {
		if !c.letGo(by) {
			return false
		}
	}
	return true
}

// letGo waits until a connection that was proven is closed by whoever has it. The lock is
// held.
func (c *Conn) letGo(by time.Time) bool {
	stop := c.wakeAt(by)
	defer stop()
	for c.proven && !c.closing && !c.bus.closed && time.Now().Before(by) {
		c.moved.Wait()
	}
	return !c.proven || c.closing
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
