package fault

import "github.com/elares/ironcache/sim"

var shortIO = Fault{
	Name: "short-io",
	Does: "Reads and writes of a node's connections, at both of their ends, move a few bytes at a time.",
	Seen: "one of them did",
	Draw: func(d Dice, e *Event) { e.For = d.Between(100, 3000) },
	Begin: func(s *Stage, e Event) Going {
		host, seen := s.host(e.Node), false
		return strain(s, func() bool { return seen }, sim.Strain{Pinches: func(r sim.Route) bool {
			pinched := r.Touches(host)
			seen = seen || pinched
			return pinched
		}})
	},
}
