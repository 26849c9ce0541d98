package fault

import "github.com/elares/ironcache/sim"

var slowNetwork = Fault{
	Name:   "slow-network",
	Does:   "What is sent from and to a node takes longer.",
	Seen:   "something that was sent took longer",
	Amount: "by how many milliseconds",
	Most:   LongestRun,
	Draw: func(d Dice, e *Event) {
		lasting(d, e)
		e.Amount = d.Between(5, 700)
	},
	Begin: func(s *Stage, e Event) Going {
		host, seen := s.host(e.Node), false
		hasten := s.Cluster.World.Slow(func(r sim.Route) int64 {
			if !r.Touches(host) {
				return 0
			}
			seen = true
			return e.Amount * million
		})
		return Going{Seen: func() bool { return seen }, End: hasten}
	},
}
