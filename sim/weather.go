package sim

import (
	"slices"
	"strings"
)

// Route is a direction between two hosts, for connections to a port.
type Route struct {
	From, To string // hosts, "10.0.0.1"; that of a Peer is what it dialled from
	Port     string // that the connection was dialled to, whichever way the bytes go
}

// Cut is a part of the network that carries nothing. What is sent meanwhile is
// held, and arrives in a burst after the cut has ended, as with a protocol that
// sends again what was lost.
type Cut struct{ cuts func(Route) bool }

// Cut cuts the routes for which a function holds, until Mend.
func (w *World) Cut(cuts func(Route) bool) *Cut {
	c := &Cut{cuts}
	w.cuts = append(w.cuts, c)
	w.note("cut", uint64(len(w.cuts)), 0)
	return c
}

// Mend ends a cut.
func (w *World) Mend(c *Cut) {
	w.cuts = slices.DeleteFunc(w.cuts, func(o *Cut) bool { return o == c })
	w.note("mend", uint64(len(w.cuts)), 0)
	w.unclog()
}

// Lag is a part of the network that takes longer.
type Lag struct{ more func(Route) int64 }

// Slow delays what is sent along routes by so many nanoseconds, 0 for none, until
// Hasten.
func (w *World) Slow(more func(Route) int64) *Lag {
	l := &Lag{more}
	w.lags = append(w.lags, l)
	w.note("slow", uint64(len(w.lags)), 0)
	return l
}

// Hasten ends a lag.
func (w *World) Hasten(l *Lag) {
	w.lags = slices.DeleteFunc(w.lags, func(o *Lag) bool { return o == l })
	w.note("hasten", uint64(len(w.lags)), 0)
}

// lag is by how much a route is slower than usual now.
func (w *World) lag(r Route) (sum int64) {
	for _, l := range w.lags {
		sum += l.more(r)
	}
	return sum
}

// Break resets the connections between machines, and from peers to machines,
// that a function holds for, and tells how many those were.
func (w *World) Break(breaks func(Route) bool) (broken int) {
	for _, m := range w.machines {
		for _, e := range m.network.ends {
			if e != nil && e.link != nil && !e.link.dead && breaks(e.link.up.route) {
				e.link.reset()
				broken++
			}
		}
	}
	w.note("break all", 0, int64(broken))
	return broken
}

// Held is how many segments, ends and resets cuts have held so far.
func (w *World) Held() uint64 { return w.heldCount }

// isCut tells whether nothing passes on a route now.
func (w *World) isCut(r Route) bool {
	return slices.ContainsFunc(w.cuts, func(c *Cut) bool { return c.cuts(r) })
}

// unclog sends on what no cut holds any more, in the order in which the
// connections were made.
func (w *World) unclog() {
	w.clogged = slices.DeleteFunc(w.clogged, func(p *pipe) bool {
		if w.isCut(p.route) {
			return false
		}
		held := p.held
		p.held = nil
		for _, arrive := range held {
			p.send(arrive)
		}
		return true
	})
}

// hostOf is the host of an address.
func hostOf(address string) string {
	return strings.Trim(address[:max(0, strings.LastIndexByte(address, ':'))], "[]")
}

// portOf is the port of an address.
func portOf(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

// along makes the routes of a connection known.
func (l *link) along(from, to string) {
	dialler, listener, port := hostOf(from), hostOf(to), portOf(to)
	l.up.route = Route{dialler, listener, port}
	l.down.route = Route{listener, dialler, port}
}
