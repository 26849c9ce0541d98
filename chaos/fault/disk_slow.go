package fault

import "github.com/elares/ironcache/sim"

var diskSlow = Fault{
	Name:   "disk-slow",
	Does:   "A node's disk takes long to sync.",
	Seen:   "a sync took longer",
	Amount: "by how many milliseconds",
	Most:   LongestRun,
	Draw: func(d Dice, e *Event) {
		lasting(d, e)
		e.Amount = d.Between(5, 800)
	},
	Begin: func(s *Stage, e Event) Going {
		seen := false
		end := s.hook(e.Node, func(act sim.Act, _ string) error {
			if act == sim.Syncing {
				seen = true
				s.Cluster.World.Spend(e.Amount * million)
			}
			return nil
		})
		return Going{Seen: func() bool { return seen }, End: end}
	},
}
