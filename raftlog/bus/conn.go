package bus

import (
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/elares/ironcache/sim/env"
)

// Conn is a connection between two nodes. All fields are under the bus's lock.
type Conn struct {
	bus           *Bus
	id            env.Conn // below 0 before the poller knows it
	local, remote string
	source        netip.Prefix // whom the other end's address belongs to, if that dialled
	line          Line         // what it is for; 0 before that was said
	wanted        ID           // the node that the one who dialled wants; zero: whoever is there
	peer          ID           // the node at the other end
	proven        bool         // the greeting is over
	dialled       bool         // by this node
	since         int64        // when it was made, Unix nanoseconds
	up            bool         // it stands
	gone          bool         // the poller does not know it any more
	closing       bool         // Close was called; what is in out is still sent

	in      []byte // 0 <= len(in) <= c.mostIn(): arrived and not read
	inErr   error  // what follows in
	out     []byte // 0 <= len(out) <= mostOut: accepted and not sent
	outErr  error
	resting bool // reports of Readable are off, since in is full
	pushing bool // reports of Writable are on, or a push is due
	readBy  time.Time
	writeBy time.Time
	moved   sync.Cond
}

const (
	mostIn      = 256 << 10
	mostUnheard = 1 << 10 // in place of mostIn before the other end has proved itself
	mostOut     = 256 << 10
	some        = 64 << 10 // bytes of one read
)

// mostIn bounds what has arrived and was not read.
func (c *Conn) mostIn() int {
	if c.proven {
		return mostIn
	}
	return mostUnheard
}

// lastWords is how long a closed connection may take to send what it holds.
const lastWords = 5 * time.Second

// timeout is the error of a call whose deadline has passed.
type timeout struct{}

func (timeout) Error() string { return "deadline exceeded" }

func (timeout) Timeout() bool { return true }

func (timeout) Temporary() bool { return true }

var errTimeout net.Error = timeout{}

// readable takes what has arrived. The poller's goroutine calls it.
func (c *Conn) readable() {
	if !c.up {
		c.denied()
		return
	}
	if c.inErr != nil {
		return // nothing follows any more
	}
	before, most := len(c.in), c.mostIn()
	room := min(some, most-before)
	c.in = slices.Grow(c.in, room)
	n, err := c.bus.poller.Read(c.id, c.in[before:before+room])
	c.in = c.in[:before+max(0, n)]
	switch {
	case err == io.EOF:
		c.inErr = io.EOF
	case err != nil && err != env.ErrAgain:
		c.fail(err)
		return
	}
	if c.inErr != nil || len(c.in) == most || c.closing {
		c.resting = true
		c.bus.poller.WantRead(c.id, false)
	}
	c.moved.Broadcast()
}

// denied asks why a connection that was dialled does not stand.
func (c *Conn) denied() {
	var b [1]byte
	_, err := c.bus.poller.Read(c.id, b[:])
	if err != nil && err != env.ErrAgain {
		c.fail(err)
	}
}

// writable sends what it can. The poller's goroutine calls it.
func (c *Conn) writable() {
	if !c.up {
		c.up = true
		c.moved.Broadcast()
	}
	c.push()
}

// push sends what it can and asks to be told when there is room for more. The
// poller's goroutine calls it.
func (c *Conn) push() {
	if c.gone {
		return
	}
	for len(c.out) > 0 {
		n, err := c.bus.poller.Write(c.id, c.out)
		if err == env.ErrAgain {
			break
		}
		if err != nil {
			c.fail(err)
			return
		}
		c.out = append(c.out[:0], c.out[n:]...)
	}
	c.pushing = len(c.out) > 0
	c.bus.poller.WantWrite(c.id, c.pushing)
	c.moved.Broadcast()
	if c.closing && !c.pushing {
		c.drop()
	}
}

// fail ends the connection with an error.
func (c *Conn) fail(err error) {
	c.inErr, c.outErr = err, err
	c.drop()
	c.moved.Broadcast()
}

// drop closes it at the poller.
func (c *Conn) drop() {
	if c.gone {
		return
	}
	c.gone = true
	if c.id >= 0 {
		delete(c.bus.conns, c.id)
		c.bus.poller.Close(c.id)
	}
}

// Read waits for bytes.
func (c *Conn) Read(b []byte) (int, error) {
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	for len(c.in) == 0 || c.closing {
		switch {
		case c.closing:
			return 0, net.ErrClosed
		case c.inErr != nil:
			return 0, c.inErr
		case passed(c.readBy):
			return 0, errTimeout
		}
		c.waitUntil(&c.readBy)
	}
	n := copy(b, c.in)
	c.in = append(c.in[:0], c.in[n:]...)
	if c.resting && c.inErr == nil {
		c.resting = false
		c.bus.do(c.wantMore)
	}
	return n, nil
}

func (c *Conn) wantMore() {
	if !c.gone {
		c.bus.poller.WantRead(c.id, true)
	}
}

// Write hands bytes over; it waits while there is no room for them.
func (c *Conn) Write(b []byte) (int, error) {
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	taken := 0
	for taken < len(b) {
		switch {
		case c.closing:
			return taken, net.ErrClosed
		case c.outErr != nil:
			return taken, c.outErr
		case passed(c.writeBy):
			return taken, errTimeout
		}
		n := min(mostOut-len(c.out), len(b)-taken)
		if n == 0 {
			c.waitUntil(&c.writeBy)
			continue
		}
		c.out = append(c.out, b[taken:taken+n]...)
		taken += n
		if !c.pushing {
			c.pushing = true
			c.bus.do(c.push)
		}
	}
	return taken, nil
}

// Quiet tells whether the connection stands, as far as known, and all that has come was
// read.
func (c *Conn) Quiet() bool {
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	return !c.gone && !c.closing && c.inErr == nil && len(c.in) == 0
}

// Close ends the connection. What was written is still sent, for a while.
func (c *Conn) Close() error {
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	c.close()
	return nil
}

func (c *Conn) close() {
	if c.closing {
		return
	}
	c.closing = true
	c.moved.Broadcast()
	if c.gone {
		return
	}
	c.bus.do(func() {
		if len(c.out) == 0 || !c.up {
			c.drop()
			return
		}
		c.push()
	})
	if len(c.out) == 0 {
		return
	}
	time.AfterFunc(lastWords, func() {
		c.bus.mu.Lock()
		defer c.bus.mu.Unlock()
		if !c.bus.closed {
			c.bus.do(c.drop)
		}
	})
}

// waitUntil waits for something to change, at most until a deadline. The lock
// is held.
func (c *Conn) waitUntil(by *time.Time) {
	stop := c.wakeAt(*by)
	defer stop()
	c.moved.Wait()
}

// wakeAt has those that wait look again at a time, unless it is stopped.
func (c *Conn) wakeAt(by time.Time) (stop func()) {
	if by.IsZero() {
		return func() {}
	}
	timer := time.AfterFunc(time.Until(by), func() {
		c.bus.mu.Lock()
		defer c.bus.mu.Unlock()
		c.moved.Broadcast()
	})
	return func() { timer.Stop() }
}

func passed(by time.Time) bool { return !by.IsZero() && !time.Now().Before(by) }

// SetDeadline bounds reads and writes.
func (c *Conn) SetDeadline(t time.Time) error {
	c.setDeadlines(func() { c.readBy, c.writeBy = t, t })
	return nil
}

// SetReadDeadline bounds reads, those that wait included.
func (c *Conn) SetReadDeadline(t time.Time) error {
	c.setDeadlines(func() { c.readBy = t })
	return nil
}

// SetWriteDeadline bounds writes, those that wait included.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.setDeadlines(func() { c.writeBy = t })
	return nil
}

func (c *Conn) setDeadlines(set func()) {
	c.bus.mu.Lock()
	defer c.bus.mu.Unlock()
	set()
	c.moved.Broadcast()
}

// LocalAddr is this node's address.
func (c *Conn) LocalAddr() net.Addr { return address(c.local) }

// RemoteAddr is the other node's address, as far as known.
func (c *Conn) RemoteAddr() net.Addr { return address(c.remote) }
