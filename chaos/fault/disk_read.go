package fault

import "github.com/elares/ironcache/sim"

var diskRead = Fault{
	Name:   "disk-read",
	Does:   "A node ends, and reads of its disk fail while it starts again.",
	Seen:   "a read failed",
	Amount: "how many reads",
	Draw: func(d Dice, e *Event) {
		downtime(d, e)
		e.Amount = d.Between(1, 4)
		e.For += 3000
	},
	Begin: func(s *Stage, e Event) Going {
		n, failed := s.node(e), int64(0)
		n.Crash()
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
