package bus

import (
	"errors"
	"net/netip"
	"slices"
)

// Whoever reaches the port can open connections and say nothing, so there is room for
// so many that have not proved themselves. When it is full the one that has waited
// longest has to go, not the one that comes: a node proves itself within a few round
// trips. Whoever fills the room of its own address pushes out none but its own.

// MostUnproven is the room that there is unless the bus is told to have less.
const MostUnproven = 512

// mostOfSource is the room that one address has at most: there may be many nodes at it.
const mostOfSource = 128

var errCrowded = errors.New("too many connections at once that have not proved themselves: the oldest is closed")

// unproven are connections that were accepted and did not prove themselves yet.
type unproven struct {
	room int     // at least 1
	list []*Conn // the oldest first, len(list) <= room
}

func newUnproven(room int) unproven {
	if room <= 0 || room > MostUnproven {
		room = MostUnproven
	}
	return unproven{room: room}
}

// add takes one more, and gives the one that has to go for it, nil if there is room.
func (u *unproven) add(c *Conn) (gone *Conn) {
	first, alike := -1, 0
	for i, o := range u.list {
		if o.source == c.source {
			if alike == 0 {
				first = i
			}
			alike++
		}
	}
	switch {
	case alike >= u.roomOfSource():
		gone = u.list[first]
	case len(u.list) >= u.room:
		gone = u.list[0]
	}
	u.remove(gone)
	u.list = append(u.list, c)
	return gone
}

// roomOfSource is the room that one address has.
func (u *unproven) roomOfSource() int { return min(mostOfSource, max(1, u.room/2)) }

// remove takes one out, if it is in.
func (u *unproven) remove(c *Conn) {
	u.list = slices.DeleteFunc(u.list, func(o *Conn) bool { return o == c })
}

// sourceOf is whom an address belongs to: one host, or a network of IPv6, of which a
// host may have all addresses.
func sourceOf(remote string) netip.Prefix {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}
	}
	ip, bits := at.Addr().Unmap(), 64
	if ip.Is4() {
		bits = 32
	}
	source, _ := ip.Prefix(bits) // it cannot fail with these
	return source
}
