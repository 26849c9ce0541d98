package fault

var crash = Fault{
	Name: Crash,
	Does: "A node ends while it waits, its machine with it, and starts again after a while.",
	Seen: "it ran, and did no more",
	Draw: downtime,
	Begin: func(s *Stage, e Event) Going {
		n := s.node(e)
		was := n.Up()
		s.Nodes[e.Node].Down = e.For * million
		n.Crash()
		return Going{Seen: func() bool { return was }}
	},
}

// Crash is the name of the fault.
const Crash = "crash"

// downtime draws how long a node stays down, in milliseconds.
func downtime(d Dice, e *Event) {
	switch draw := d.Below(100); {
	case draw < 30: // some supervisors start it at once, while leases of before last
		e.For = d.Between(1, 150)
	case draw < 70:
		e.For = d.Between(1, 1500)
	default:
		e.For = d.Between(1500, 6000)
	}
}

// fallen tells whether the life of a node ended at a call of a door.
func fallen(s *Stage, e Event, life int) func() bool {
	n := s.node(e)
	return func() bool { return n.Lives() == life && n.Crashed }
}
