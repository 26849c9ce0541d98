package fault

import "github.com/elares/ironcache/sim"

var partition = Fault{
	Name: "partition",
	Does: "A node and all others, clients included, do not reach each other.",
	Seen: "something that was sent was held",
	Draw: lasting,
	Begin: func(s *Stage, e Event) Going {
		host := s.host(e.Node)
		return cut(s, func(r sim.Route) bool { return r.Touches(host) })
	},
}
