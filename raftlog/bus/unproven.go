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
const (
	mostUnproven = 512
	mostOfSource = 128 // there may be many nodes at one address
)

var errCrowded = errors.New("too many connections at once that have not proved themselves: the oldest is closed")

// unproven are connections that were accepted and did not prove themselves yet, the
// oldest first.
type unproven []*Conn

// add takes one more, and gives the one that has to go for it, nil if there is room.
func (u *unproven) add(c *Conn) (gone *Conn) {
	first, alike := -1, 0
	for i, o := range *u {
		if o.source == c.source {
			if alike == 0 {
				first = i
			}
			alike++
		}
	}
	switch {
	case alike >= mostOfSource:
		gone = (*u)[first]
	case len(*u) >= mostUnproven:
		gone = (*u)[0]
	}
	u.remove(gone)
	*u = append(*u, c)
	return gone
}

// remove takes one out, if it is in.
func (u *unproven) remove(c *Conn) {
	*u = slices.DeleteFunc(*u, func(o *Conn) bool { return o == c })
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
