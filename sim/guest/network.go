//go:build wasip1

package main

import (
	"encoding/json"
	"os"
	"syscall"
	"time"
	"unsafe"

	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/sim/env"
)

// network is the simulated network. A loop that waits is a goroutine that
// waits for its poller's bell, so that the whole instance sleeps only when
// nobody has anything to do; then the host rings through standard input, which
// is the only way to wake a guest.
type network struct{ pollers []*poller }

func newNetwork() *network {
	n := &network{}
	if err := syscall.SetNonblock(0, true); err != nil {
		panic(err)
	}
	go n.listenToBells(os.NewFile(0, "bells"))
	return n
}

// listenToBells rings the bell of each poller that the host names, a byte each. To
// wait is all that standard input is for.
func (n *network) listenToBells(input *os.File) {
	raw, err := input.SyscallConn()
	if err != nil {
		panic(err)
	}
	var names [256]byte
	err = raw.Read(func(uintptr) (done bool) {
		for _, id := range names[:netBells(unsafe.Pointer(&names[0]), int32(len(names)))] {
			n.pollers[id].ring()
		}
		return false
	})
	panic(err)
}

// Poller makes a poller.
func (n *network) Poller() (env.Poller, error) {
	p := &poller{id: netPoller(), bell: make(chan struct{}, 1), timer: time.NewTimer(time.Hour)}
	p.timer.Stop()
	n.pollers = append(n.pollers, p)
	return p, nil
}

// poller is one of the machine's.
type poller struct {
	id    int32
	bell  chan struct{} // by Wake, or by the host when something is ready
	timer *time.Timer
	raw   [64 * door.EventSize]byte
}

func (p *poller) ring() {
	select {
	case p.bell <- struct{}{}:
	default:
	}
}

// Wake makes the current or next Wait or Park return.
func (p *poller) Wake() { p.ring() }

// Park waits for Wake. The host's bell ends it too, as a Park may.
func (p *poller) Park(timeout int64, _ bool) {
	if timeout == 0 {
		return
	}
	if timeout < 0 {
		<-p.bell
		return
	}
	p.timer.Reset(time.Duration(timeout))
	select {
	case <-p.bell:
		p.timer.Stop()
	case <-p.timer.C:
	}
}

// Wait reports what is ready.
func (p *poller) Wait(events []env.Event, timeout int64) (int, error) {
	n := p.ready(events, timeout)
	if n > 0 || timeout == 0 {
		select {
		case <-p.bell:
		default:
		}
		return n, nil
	}
	<-p.bell
	return p.ready(events, 0), nil
}

// ready asks the host. When nothing is, the host rings once something may be, and
// when the time is over.
func (p *poller) ready(events []env.Event, timeout int64) int {
	room := min(len(events), len(p.raw)/door.EventSize)
	n := int(netWait(p.id, unsafe.Pointer(&p.raw[0]), int32(room), timeout))
	for i := range n {
		events[i] = door.Event(p.raw[i*door.EventSize:])
	}
	return n
}

func flag(on bool) int32 {
	if on {
		return 1
	}
	return 0
}

// Listen opens a listener.
func (p *poller) Listen(at env.ListenAddress) (env.Conn, error) {
	answer := netListen(p.id, at.Network, at.Address, int32(at.Backlog), flag(at.Shared), int32(at.Perm))
	if answer < 0 {
		return 0, failure(answer)
	}
	return env.Conn(answer), nil
}

// Dial starts a connection.
func (p *poller) Dial(address string) (env.Conn, error) {
	answer := netDial(p.id, address)
	if answer < 0 {
		return 0, failure(answer)
	}
	return env.Conn(answer), nil
}

// Accept takes the next waiting connection.
func (p *poller) Accept(listener env.Conn) (env.Conn, env.Peer, error) {
	var text [512]byte
	answer := netAccept(p.id, int32(listener), unsafe.Pointer(&text[0]), int32(len(text)))
	if answer < 0 {
		return 0, env.Peer{}, failure(answer)
	}
	var peer env.Peer
	if err := json.Unmarshal(text[:answer>>32], &peer); err != nil {
		panic(err)
	}
	return env.Conn(uint32(answer)), peer, nil
}

// Read reads what has arrived.
func (p *poller) Read(conn env.Conn, b []byte) (int, error) {
	answer := netRead(p.id, int32(conn), unsafe.Pointer(&b[0]), int32(len(b)))
	if answer < 0 {
		return 0, failure(answer)
	}
	return int(answer), nil
}

// Write writes a prefix.
func (p *poller) Write(conn env.Conn, b []byte) (int, error) {
	answer := netWrite(p.id, int32(conn), unsafe.Pointer(&b[0]), int32(len(b)))
	if answer < 0 {
		return 0, failure(answer)
	}
	return int(answer), nil
}

func (p *poller) WantRead(conn env.Conn, on bool) { netWant(p.id, int32(conn), 0, flag(on)) }

func (p *poller) WantWrite(conn env.Conn, on bool) { netWant(p.id, int32(conn), 1, flag(on)) }

// Gone tells whether the end of the peer's stream has arrived.
func (p *poller) Gone(conn env.Conn) bool { return netGone(p.id, int32(conn)) != 0 }

// KeepAlive does nothing: the network of the simulator breaks a connection or
// keeps it.
func (p *poller) KeepAlive(env.Conn, int) {}

// Detach leaves a connection to another poller.
func (p *poller) Detach(conn env.Conn) { netDetach(p.id, int32(conn)) }

// Attach takes a connection over.
func (p *poller) Attach(conn env.Conn) error {
	if answer := netAttach(p.id, int32(conn)); answer < 0 {
		return failure(answer)
	}
	return nil
}

// Close ends a connection or a listener.
func (p *poller) Close(conn env.Conn) { netClose(p.id, int32(conn)) }

// Shut closes everything that the poller watches.
func (p *poller) Shut() { netShut(p.id) }
