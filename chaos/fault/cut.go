package fault

import "github.com/elares/ironcache/sim"

// Ports of the planes.
const (
	ClientPort = "6379"
	BusPort    = "16379"
)

// cut makes a fault of routes that carry nothing. It is seen when something was
// held.
func cut(s *Stage, cuts func(sim.Route) bool) Going {
	seen := false
	mend := s.Cluster.World.Cut(func(r sim.Route) bool {
		held := cuts(r)
		seen = seen || held
		return held
	})
	return Going{Seen: func() bool { return seen }, End: mend}
}

// lasting draws how long something lasts, in milliseconds: often shorter than a
// lease, sometimes longer than several.
func lasting(d Dice, e *Event) {
	e.For = d.Between(50, 2000)
	if d.Chance(40) {
		e.For = d.Between(2000, 8000)
	}
}
