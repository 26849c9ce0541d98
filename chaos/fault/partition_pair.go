package fault

import "github.com/elares/ironcache/sim"

var pairPartition = Fault{
	Name:   "pair-partition",
	Does:   "Two nodes do not reach each other, while both reach all others.",
	Seen:   "something that was sent was held",
	Amount: "how many places the other node is behind the node, counted around",
	Joined: true,
	Draw: func(d Dice, e *Event) {
		lasting(d, e)
		e.Amount = d.Between(1, 6)
	},
	Begin: func(s *Stage, e Event) Going {
		n := len(s.Nodes)
		a, b := s.host(e.Node), s.host((e.Node+1+int(max(0, e.Amount-1))%max(1, n-1))%n)
		return cut(s, func(r sim.Route) bool { return r.From == a && r.To == b || r.From == b && r.To == a })
	},
}
