package fault

var diskLost = Fault{
	Name:   "disk-lost",
	Does:   "A node ends, and starts again with an empty disk.",
	Seen:   "it ran with the empty disk",
	Spoils: true,
	Draw:   downtime,
	Begin: func(s *Stage, e Event) Going {
		n := s.node(e)
		s.Nodes[e.Node].Down = e.For * million
		n.Crash()
		n.Machine.LoseDisk()
		s.Nodes[e.Node].Spoiled, s.Nodes[e.Node].Emptied = true, true
		life := n.Lives()
		return Going{Seen: func() bool { return n.Lives() > life && n.Up() }}
	},
}
