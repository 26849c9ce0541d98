package fault

import "github.com/elares/ironcache/sim"

var halfPartition = Fault{
	Name: "half-partition",
	Does: "What a node sends to other nodes and to clients does not arrive; what they send to it does.",
	Seen: "something that was sent was held",
	Draw: lasting,
	Begin: func(s *Stage, e Event) Going {
		host := s.host(e.Node)
		return cut(s, func(r sim.Route) bool { return r.From == host })
	},
}
