package sim

import (
	"testing"

	"github.com/elares/ironcache/sim/env"
)

// echo is a server that sends back what it gets: the smallest loop there is.
type echo struct {
	t        testing.TB
	poller   env.Poller
	listener env.Conn
	events   [8]env.Event
	unsent   map[env.Conn][]byte
	ended    map[env.Conn]bool
	resets   int
	refusals int // connections that there was no descriptor for
}

const echoAddress = "127.0.0.1:6379"

func newEcho(t testing.TB, m *Machine, at env.ListenAddress) *echo {
	p, err := m.Doors().Network.Poller()
	if err != nil {
		t.Fatal(err)
	}
	e := &echo{t: t, poller: p, unsent: map[env.Conn][]byte{}, ended: map[env.Conn]bool{}}
	if e.listener, err = p.Listen(at); err != nil {
		t.Fatal(err)
	}
	return e
}

func tcp() env.ListenAddress {
	return env.ListenAddress{Network: "tcp", Address: echoAddress, Backlog: 16}
}

func (e *echo) Step(bool) bool {
	n, err := e.poller.Wait(e.events[:], -1)
	if err != nil {
		e.t.Fatal(err)
	}
	for _, event := range e.events[:n] {
		if event.Conn == e.listener {
			e.accept()
			continue
		}
		if event.Readable {
			e.read(event.Conn)
		}
		if event.Writable && e.isOpen(event.Conn) {
			e.write(event.Conn)
		}
	}
	return true
}

func (e *echo) isOpen(c env.Conn) bool { _, ok := e.unsent[c]; return ok }

func (e *echo) accept() {
	c, _, err := e.poller.Accept(e.listener)
	switch err {
	case nil:
		e.unsent[c] = nil
	case env.ErrTooMany:
		e.refusals++
	default:
		e.t.Fatal(err)
	}
}

func (e *echo) read(c env.Conn) {
	var buf [1000]byte
	n, err := e.poller.Read(c, buf[:])
	e.unsent[c] = append(e.unsent[c], buf[:n]...)
	switch err {
	case nil:
	case env.ErrReset:
		e.resets++
		e.close(c)
		return
	default: // the end
		e.poller.WantRead(c, false)
		e.ended[c] = true
	}
	e.write(c)
}

func (e *echo) write(c env.Conn) {
	for len(e.unsent[c]) > 0 {
		n, err := e.poller.Write(c, e.unsent[c])
		if err == env.ErrReset {
			e.resets++
			e.close(c)
			return
		}
		if err != nil {
			break
		}
		e.unsent[c] = e.unsent[c][n:]
	}
	e.poller.WantWrite(c, len(e.unsent[c]) > 0)
	e.poller.WantRead(c, len(e.unsent[c]) < 4000 && !e.ended[c])
	if e.ended[c] && len(e.unsent[c]) == 0 {
		e.close(c)
	}
}

func (e *echo) close(c env.Conn) {
	e.poller.Close(c)
	delete(e.unsent, c)
	delete(e.ended, c)
}
