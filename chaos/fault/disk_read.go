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
		s.node(e).Crash()
		return failing(s, e, sim.Reading)
	},
}
