package fault

import "github.com/elares/ironcache/sim"

var diskFull = Fault{
	Name: "disk-full",
	Does: "A node's disk has no room for anything that is written.",
	Seen: "a write failed",
	Draw: lasting,
	Begin: func(s *Stage, e Event) Going {
		seen := false
		end := s.hook(e.Node, func(act sim.Act, _ string) error {
			if act != sim.Writing {
				return nil
			}
			seen, s.Nodes[e.Node].Shaken = true, true
			return sim.ErrFull
		})
		return Going{Seen: func() bool { return seen }, End: end}
	},
}
