package sim

import (
	"io"

	"github.com/elares/ironcache/sim/env"
)

// Peer is a client's end of a connection, in the hands of a test. It is not one
// of the doors: it sends what it is told to as fast as the connection takes
// it, and reads all that arrives unless it is paused.
type Peer struct {
	link    *link
	unsent  []byte
	got     []byte
	err     error // why nothing more will be received
	ending  bool  // the end follows what is unsent
	paused  bool
	unheard bool // nobody listened
}

// Dial connects to an address that a machine listens on, from a free port on
// the same machine. "unix:" and a path names a unix socket.
func (w *World) Dial(address string) *Peer { return w.DialFrom("", address) }

// DialFrom connects from a remote address such as "10.0.0.7:4000".
func (w *World) DialFrom(remote, address string) *Peer {
	p := &Peer{}
	p.link = w.newLink(p)
	p.link.along(remote, address)
	p.link.up.travel(func() { w.connect(p.link, remote, address) })
	return p
}

// Send sends bytes, now or as soon as there is room.
func (p *Peer) Send(b []byte) {
	p.unsent = append(p.unsent, b...)
	p.look()
}

// Receive takes what has arrived since the last call.
func (p *Peer) Receive() []byte {
	got := p.got
	p.got = nil
	return got
}

// Err tells why nothing more will arrive: io.EOF, env.ErrReset, or nil while it
// may.
func (p *Peer) Err() error { return p.err }

// Refused tells that nobody listened on the address.
func (p *Peer) Refused() bool { return p.unheard }

func (p *Peer) stands() {}

func (p *Peer) refused() { p.unheard = true }

// Unsent is how many bytes wait for room in the connection.
func (p *Peer) Unsent() int { return len(p.unsent) }

// Pause stops or resumes reading.
func (p *Peer) Pause(on bool) {
	p.paused = on
	p.look()
}

// CloseWrite ends the stream to the machine behind what was sent. The peer
// goes on reading.
func (p *Peer) CloseWrite() {
	p.ending = true
	p.look()
}

// Close ends the connection in order: what was sent still arrives, what comes
// back is answered by a reset.
func (p *Peer) Close() {
	p.CloseWrite()
	p.link.down.gone, p.link.down.ready = true, nil
}

// Reset breaks the connection.
func (p *Peer) Reset() {
	p.unsent = nil
	p.link.reset()
}

// look sends and reads what it can.
func (p *Peer) look() {
	p.push()
	if !p.paused {
		p.pull()
	}
}

func (p *Peer) push() {
	up := &p.link.up
	for len(p.unsent) > 0 && !up.closed && !p.link.dead {
		n, err := up.write(p.unsent)
		if err != nil {
			return
		}
		p.unsent = p.unsent[n:]
	}
	if p.ending && len(p.unsent) == 0 {
		up.end()
	}
}

// pull reads without the draws of a read: how a peer reads is nobody's concern.
func (p *Peer) pull() {
	down := &p.link.down
	if len(down.ready) > 0 && p.link.world.deaf(down.route) {
		return
	}
	p.got = append(p.got, down.ready...)
	down.ready = nil
	switch {
	case p.err != nil:
	case down.broken:
		p.err = env.ErrReset
	case down.ended:
		p.err = io.EOF
	}
}
