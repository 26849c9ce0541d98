package fault

import (
	"slices"
	"strings"

	"github.com/elares/ironcache/sim"
)

var diskSync = Fault{
	Name:   "disk-sync",
	Does:   "Syncs of a node's disk fail, and a part of what they were to save is lost.",
	Seen:   "a sync failed",
	Amount: "how many syncs",
	Draw: func(d Dice, e *Event) {
		e.For, e.Amount = d.Between(500, 4000), d.Between(1, 4)
	},
	Begin: func(s *Stage, e Event) Going { return failing(s, e, sim.Syncing, sim.SyncingDir) },
}

// failing has some acts of a node's disk fail, as many as the event says.
func failing(s *Stage, e Event, acts ...sim.Act) Going {
	failed := int64(0)
	end := s.hook(e.Node, func(act sim.Act, name string) error {
		if failed >= e.Amount || !slices.Contains(acts, act) {
			return nil
		}
		failed++
		n := &s.Nodes[e.Node]
		entries := act == sim.Syncing && strings.HasSuffix(name, ".seg")
		values := act == sim.SyncingDir && strings.HasSuffix(name, "/raft") // where the stable ones are
		if n.Shaken = true; entries || values {
			n.Unsure = max(1, s.Cluster.World.Now())
		}
		return sim.ErrIO
	})
	return Going{Seen: func() bool { return failed > 0 }, End: end}
}
