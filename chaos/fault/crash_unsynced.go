package fault

import "github.com/elares/ironcache/sim"

var crashUnsynced = Fault{
	Name:   "crash-unsynced",
	Does:   "A node ends behind a write to its disk and before the sync: of what it wrote any part may be lost.",
	Seen:   "it ended at the call of a door that followed the write",
	Amount: "how many milliseconds it stays down",
	Most:   LongestRun,
	Draw: func(d Dice, e *Event) {
		downtime(d, e)
		e.Amount, e.For = e.For, 6000
	},
	Begin: func(s *Stage, e Event) Going {
		n, armed := s.node(e), true
		life := n.Lives()
		s.Nodes[e.Node].Down = e.Amount * million
		end := s.hook(e.Node, func(act sim.Act, _ string) error {
			if act == sim.Writing && armed {
				armed = false
				n.CrashIn(1)
			}
			return nil
		})
		return Going{Seen: fallen(s, e, life), End: end}
	},
}
