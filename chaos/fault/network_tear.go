package fault

import "github.com/elares/ironcache/sim"

var tornConnection = Fault{
	Name:   "torn-connection",
	Does:   "Connections from and to a node break in the middle of what is sent: a part of it arrives.",
	Seen:   "a connection broke so",
	Amount: "how many connections",
	Draw: func(d Dice, e *Event) {
		e.For, e.Amount = d.Between(200, 4000), d.Between(1, 6)
	},
	Begin: func(s *Stage, e Event) Going {
		host, torn := s.host(e.Node), int64(0)
		return strain(s, func() bool { return torn > 0 }, sim.Strain{Tears: func(r sim.Route) bool {
			if torn >= e.Amount || !r.Touches(host) {
				return false
			}
			torn++
			return true
		}})
	},
}

// strain makes a fault of a strain of the network.
func strain(s *Stage, seen func() bool, what sim.Strain) Going {
	return Going{Seen: seen, End: s.Cluster.World.Strain(what)}
}
