package fault

import "github.com/elares/ironcache/sim"

var crashUnsyncedDir = Fault{
	Name:   "crash-unsynced-dir",
	Does:   "A node ends, and ends once more behind a rename of a file and before the sync of the folder: the rename is undone.",
	Seen:   "it ended at the call of a door that followed the rename, and that was undone",
	Amount: "which rename, counted from then: a start has one, a vote one more",
	Draw: func(d Dice, e *Event) {
		e.For, e.Amount = d.Between(3000, 8000), d.Between(1, 3)
	},
	Begin: func(s *Stage, e Event) Going {
		n, disk := s.node(e), s.disk(e.Node)
		n.Crash()
		left, life, undone := e.Amount, 0, 0
		end := s.hook(e.Node, func(act sim.Act, _ string) error {
			if act != sim.Renaming {
				return nil
			}
			if left--; left == 0 {
				life, undone = n.Lives(), disk.Undone
				disk.Undo = true
				n.CrashIn(1)
			}
			return nil
		})
		return Going{Seen: func() bool { return life > 0 && fallen(s, e, life)() && disk.Undone > undone }, End: end}
	},
}
