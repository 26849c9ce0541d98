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

// Touches tells whether a host is at one of its ends.
func (r Route) Touches(host string) bool { return r.From == host || r.To == host }

// Cut has the routes for which a function holds carry nothing, until mend is called.
// What is sent meanwhile is held, and arrives in a burst afterwards, as with a protocol
// that sends again what was lost.
func (w *World) Cut(cuts func(Route) bool) (mend func()) {
	end := add(w, &w.cuts, &cuts, "cut", "mend")
	return func() {
		end()
		w.unclog()
	}
}

// Slow delays what is sent along routes by so many nanoseconds, 0 for none, until
// hasten is called.
func (w *World) Slow(more func(Route) int64) (hasten func()) {
	return add(w, &w.lags, &more, "slow", "hasten")
}

// add adds something to what is there of its kind, and gives what takes it away again.
// The trace has a word for each.
func add[T any](w *World, list *[]*T, what *T, begins, ends string) (end func()) {
	*list = append(*list, what)
	w.Note(begins, uint64(len(*list)), 0)
	return func() {
		*list = slices.DeleteFunc(*list, func(o *T) bool { return o == what })
		w.Note(ends, uint64(len(*list)), 0)
	}
}

// lag is by how much a route is slower than usual now.
func (w *World) lag(r Route) (sum int64) {
	for _, more := range w.lags {
		sum += (*more)(r)
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
	w.Note("break all", 0, int64(broken))
	return broken
}

// isCut tells whether nothing passes on a route now.
func (w *World) isCut(r Route) bool {
	return slices.ContainsFunc(w.cuts, func(cuts *func(Route) bool) bool { return (*cuts)(r) })
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
		for _, h := range held {
			p.send(h.sent, h.arrive)
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
