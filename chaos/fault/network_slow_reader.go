package fault

import "github.com/elares/ironcache/sim"

var slowReader = Fault{
	Name: "slow-reader",
	Does: "Clients of a node do not read what it has sent them, so that it can send no more.",
	Seen: "something that had arrived was not read",
	Draw: lasting,
	Begin: func(s *Stage, e Event) Going {
		host, seen := s.host(e.Node), false
		return strain(s, func() bool { return seen }, sim.Strain{Deafens: func(r sim.Route) bool {
			deaf := r.From == host && r.Port == ClientPort
			seen = seen || deaf
			return deaf
		}})
	},
}
