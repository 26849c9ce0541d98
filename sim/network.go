package sim

import (
	"github.com/elares/ironcache/sim/env"
	"github.com/elares/ironcache/sim/invariant"
)

// Network is the network of one machine.
type Network struct {
	machine   *Machine
	world     *World
	pollers   []*poller
	ends      []*end // by number; nil where the number is free
	conns     int    // of them, connections
	mostConns int
	dialled   uint64 // connections that it asked for
}

// end is an open connection or listener.
type end struct {
	id        env.Conn
	owner     *poller // nil while detached
	link      *link
	in, out   *pipe     // of the link
	fate      fate      // of a link that this end dialled
	listener  *listener // instead of link
	wantRead  bool
	wantWrite bool
}

// fate is what became of a dialled connection.
type fate uint8

const (
	made    fate = iota // it stands, or was accepted
	pending             // nobody knows yet
	denied              // nobody listened
)

func (e *end) look() {}

func (e *end) stands() { e.fate = made }

func (e *end) refused() { e.fate = denied }

// firstConn is the lowest number, as if three descriptors had been open before.
const firstConn = 3

func newNetwork(m *Machine) *Network {
	return &Network{machine: m, world: m.world, ends: make([]*end, firstConn)}
}

// Poller makes a poller.
func (n *Network) Poller() (env.Poller, error) {
	p := &poller{network: n, world: n.world, id: uint64(len(n.pollers)), deadline: never}
	n.pollers = append(n.pollers, p)
	return p, nil
}

// open gives an end the lowest free number, as systems do.
func (n *Network) open(e *end) env.Conn {
	for id := firstConn; id < len(n.ends); id++ {
		if n.ends[id] == nil {
			e.id = env.Conn(id)
			n.ends[id] = e
			return e.id
		}
	}
	e.id = env.Conn(len(n.ends))
	n.ends = append(n.ends, e)
	return e.id
}

// of gives an open end.
func (n *Network) of(id env.Conn) *end {
	invariant.Check(int(id) < len(n.ends) && n.ends[id] != nil, "sim: an open connection is named")
	return n.ends[id]
}

// readable tells whether the end has something to be read or accepted.
func (e *end) readable(now int64) bool {
	if e.listener != nil {
		return len(e.listener.waiting) > 0 && now >= e.listener.restUntil
	}
	return e.fate != pending && e.in.readable()
}

// writable tells whether a write would do something other than ErrAgain.
func (e *end) writable() bool {
	return e.link != nil && e.fate != pending && (e.out.room() > 0 || e.in.broken)
}

// hangUp is the close of a machine's end: what it wrote still arrives, then the
// end of the stream.
func (e *end) hangUp() {
	e.in.gone, e.in.ready = true, nil
	e.out.end()
}

// event is what a poller would report of the end.
func (e *end) event(now int64) env.Event {
	return env.Event{Conn: e.id, Readable: e.wantRead && e.readable(now), Writable: e.wantWrite && e.writable()}
}
