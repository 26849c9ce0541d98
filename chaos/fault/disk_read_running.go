package fault

import "github.com/elares/ironcache/sim"

var diskReadRunning = Fault{
	Name:   "disk-read-running",
	Does:   "Reads of a node's disk fail while it runs.",
	Seen:   "a read failed",
	Amount: "how many reads",
	Draw: func(d Dice, e *Event) {
		lasting(d, e)
		e.Amount = d.Between(1, 4)
	},
	Begin: func(s *Stage, e Event) Going {
		failed := int64(0)
		end := s.hook(e.Node, func(act sim.Act, _ string) error {
			if act != sim.Reading || failed >= e.Amount {
				return nil
			}
			failed++
			s.Nodes[e.Node].Shaken = true
			return sim.ErrIO
		})
		return Going{Seen: func() bool { return failed > 0 }, End: end}
	},
}
