package host

import (
	"io"
	"net"
	"sync"
	"time"

	"github.com/elares/ironcache/sim/env"
)

const (
	linkInput  = 16 << 10         // bytes read ahead for a connection
	linkOutput = 64 << 10         // bytes that wait to be written, twice
	lastWords  = 30 * time.Second // how long a closed connection's bytes may take to leave
)

// link is a connection, or a listener if hub is set. Its fields are under the
// network's lock, save what reader and writer are busy with.
type link struct {
	id        env.Conn
	owner     *portable // nil while detached, and after Close
	pending   bool      // in owner.pending
	wantRead  bool
	wantWrite bool

	hub     *hub
	waiting []net.Conn // a listener's, accepted by the hub for it

	net      net.Conn // nil while dialling
	dialling bool
	in       []byte // received and not yet read: a part of the reader's buffer
	inErr    error  // what follows in; sticky
	out      []byte // accepted and not yet taken by the writer
	outErr   error  // sticky
	closed   bool
	moved    sync.Cond // reader and writer look again
}

// newLink starts to move the bytes of a connection. The lock is held.
func newLink(n *portableNetwork, conn net.Conn) *link {
	l := &link{net: conn, out: make([]byte, 0, linkOutput)}
	l.moved.L = &n.mu
	n.enter(l)
	go l.receive()
	go l.transmit()
	return l
}

// event tells what a link is ready for and wanted to be.
func (l *link) event() (env.Event, bool) {
	readable := len(l.in) > 0 || l.inErr != nil || len(l.waiting) > 0
	writable := len(l.out) < linkOutput && !l.dialling || l.outErr != nil
	e := env.Event{Conn: l.id, Readable: l.wantRead && readable, Writable: l.wantWrite && writable}
	return e, e.Readable || e.Writable
}

// notify makes the owner look at a link. A pending link needs no bell: the owner
// sleeps only when it has found nothing pending ready.
func (l *link) notify() {
	if l.owner == nil || l.pending {
		return
	}
	l.pending = true
	l.owner.pending = append(l.owner.pending, l)
	ring(l.owner.arrival)
}

func (l *link) read(b []byte) (int, error) {
	if len(l.in) == 0 {
		if l.inErr != nil {
			return 0, l.inErr
		}
		return 0, env.ErrAgain
	}
	n := copy(b, l.in)
	l.in = l.in[n:]
	if len(l.in) == 0 {
		l.moved.Broadcast()
	}
	return n, nil
}

func (l *link) write(b []byte) (int, error) {
	if l.outErr != nil {
		return 0, l.outErr
	}
	n := min(len(b), linkOutput-len(l.out))
	if n == 0 || l.dialling {
		return 0, env.ErrAgain
	}
	l.out = append(l.out, b[:n]...)
	l.moved.Broadcast()
	return n, nil
}

func (l *link) close() {
	l.closed = true
	if l.net == nil {
		return // dial sees it
	}
	l.net.SetWriteDeadline(time.Now().Add(lastWords))
	l.moved.Broadcast()
}

// receive fills in whenever it was read up. After Close it goes on and drops
// what comes, so that the peer gets the last words instead of a reset.
func (l *link) receive() {
	buffer := make([]byte, linkInput)
	for {
		n, err := l.net.Read(buffer)
		l.moved.L.Lock()
		l.in = buffer[:n]
		if err != nil {
			l.broken(err)
		}
		l.notify()
		for len(l.in) > 0 && !l.closed {
			l.moved.Wait()
		}
		l.moved.L.Unlock()
		if err != nil {
			return
		}
	}
}

// broken notes the end of what comes in. Of a reset, writing must know too.
func (l *link) broken(err error) {
	if err == io.EOF {
		l.inErr = io.EOF
		return
	}
	l.inErr, l.outErr = env.ErrReset, env.ErrReset
	l.moved.Broadcast()
}

// transmit writes what out holds, and closes the connection when that was all.
func (l *link) transmit() {
	defer l.net.Close()
	busy := make([]byte, 0, linkOutput)
	for {
		l.moved.L.Lock()
		for len(l.out) == 0 && !l.closed && l.outErr == nil {
			l.moved.Wait()
		}
		busy, l.out = l.out, busy[:0]
		failed := l.outErr != nil
		l.notify()
		l.moved.L.Unlock()
		if len(busy) == 0 || failed {
			return
		}
		if _, err := l.net.Write(busy); err != nil {
			l.moved.L.Lock()
			l.outErr = env.ErrReset
			l.notify()
			l.moved.L.Unlock()
			return
		}
	}
}

func (l *link) keepAlive(seconds int) {
	tcp, ok := l.net.(*net.TCPConn)
	if !ok {
		return
	}
	tcp.SetKeepAliveConfig(net.KeepAliveConfig{
		Enable:   seconds > 0,
		Idle:     time.Duration(seconds) * time.Second,
		Interval: time.Duration(max(seconds/3, 1)) * time.Second,
		Count:    3,
	})
}
