package fault

var pause = Fault{
	Name: "pause",
	Does: "A node stands still for a while, its clocks and what it sent before excepted.",
	Seen: "it had something to do meanwhile, and did not do it",
	Draw: lasting,
	Begin: func(s *Stage, e Event) Going {
		n := s.node(e)
		before := n.Stood
		n.Pause(e.For * million)
		return Going{Seen: func() bool { return n.Stood > before }}
	},
}
