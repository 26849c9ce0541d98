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
	Begin: func(s *Stage, e Event) Going { return failing(s, e, sim.Reading) },
}
