package sim

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/elares/ironcache/sim/env"
)

// address is what one or, when they share it, several listeners listen on.
type address struct {
	name      string
	network   *Network
	shared    bool
	listeners []*listener
}

// listener is a listening end.
type listener struct {
	at        env.ListenAddress
	address   *address
	waiting   []waiting
	restUntil int64 // no connection is reported before
}

// waiting is a connection that was not accepted yet.
type waiting struct {
	link *link
	peer env.Peer
}

// restPeriod is how long, in nanoseconds, a listener is silent after it found
// no descriptor free.
const restPeriod = 100_000_000

// listen opens a listener.
func (w *World) listen(n *Network, at env.ListenAddress) (*listener, error) {
	name := at.Address
	if at.Network == "unix" {
		name = "unix:" + name
	}
	a := w.addresses[name]
	if a == nil {
		a = &address{name: name, network: n, shared: at.Shared}
		w.addresses[name] = a
	} else if !a.shared || !at.Shared || a.network != n {
		return nil, fmt.Errorf("sim: listen on %s: address already in use", name)
	}
	l := &listener{at: at, address: a}
	a.listeners = append(a.listeners, l)
	return l, nil
}

// close ends a listener and the connections that wait at it.
func (l *listener) close(w *World) {
	a := l.address
	a.listeners = slices.DeleteFunc(a.listeners, func(o *listener) bool { return o == l })
	if len(a.listeners) == 0 {
		delete(w.addresses, a.name)
	}
	for _, c := range l.waiting {
		c.link.reset()
	}
	l.waiting = nil
}

// connect brings a connection to a listener of an address.
func (w *World) connect(l *link, remote, to string) {
	a := w.find(to)
	if a == nil {
		w.refuse(l)
		return
	}
	at := a.listeners[w.draw(drawListener, l.id, 0)%uint64(len(a.listeners))]
	if len(at.waiting) >= at.at.Backlog {
		w.refuse(l)
		return
	}
	w.Note("connect", l.id, int64(len(at.waiting)))
	l.up.tell(Connected, 0, nil)
	at.waiting = append(at.waiting, waiting{l, describe(l, remote, to)})
	l.down.travel(l.dialler.stands)
}

func (w *World) refuse(l *link) {
	w.Note("refuse", l.id, 0)
	l.up.tell(Refused, 0, nil)
	l.down.travel(l.dialler.refused)
	l.reset()
}

// find gives the address that a dialled one belongs to: itself, or all
// addresses of the machine.
func (w *World) find(to string) *address {
	if a := w.addresses[to]; a != nil {
		return a
	}
	_, port, _ := strings.Cut(to[max(0, strings.LastIndexByte(to, ':')):], ":")
	for _, any := range []string{"0.0.0.0:", "[::]:", ":"} {
		if a := w.addresses[any+port]; a != nil && !strings.HasPrefix(to, "unix:") {
			return a
		}
	}
	return nil
}

// describe tells the machine who is connecting.
func describe(l *link, remote, to string) env.Peer {
	if path, unix := strings.CutPrefix(to, "unix:"); unix {
		return env.Peer{Remote: path, Local: path, Loopback: true, Unix: true}
	}
	if remote == "" {
		remote = fmt.Sprintf("127.0.0.1:%d", 32768+l.id%28000)
	}
	from, err := netip.ParseAddrPort(remote)
	return env.Peer{Remote: remote, Local: to, Loopback: err == nil && from.Addr().IsLoopback()}
}
