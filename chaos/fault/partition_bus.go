package fault

import "github.com/elares/ironcache/sim"

var partitionBus = Fault{
	Name:   "partition-bus",
	Does:   "A node and the others do not reach each other on the bus; clients reach all of them.",
	Seen:   "something that was sent was held",
	Joined: true,
	Draw:   lasting,
	Begin: func(s *Stage, e Event) Going {
		host := s.host(e.Node)
		return cut(s, func(r sim.Route) bool { return r.Port == BusPort && r.Touches(host) })
	},
}
