package fault

import "github.com/elares/ironcache/sim"

var reset = Fault{
	Name: "reset",
	Does: "All connections from and to a node break.",
	Seen: "there were connections that broke",
	Draw: func(Dice, *Event) {},
	Begin: func(s *Stage, e Event) Going {
		host := s.host(e.Node)
		broken := s.Cluster.World.Break(func(r sim.Route) bool { return r.Touches(host) })
		return Going{Seen: func() bool { return broken > 0 }}
	},
}
