package fault

import "github.com/elares/ironcache/sim"

var partitionClients = Fault{
	Name: "partition-clients",
	Does: "Clients do not reach a node; the nodes reach each other.",
	Seen: "something that was sent was held",
	Draw: lasting,
	Begin: func(s *Stage, e Event) Going {
		host := s.host(e.Node)
		return cut(s, func(r sim.Route) bool { return r.Port == ClientPort && r.Touches(host) })
	},
}
