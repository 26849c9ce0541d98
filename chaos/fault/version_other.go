package fault

var otherVersion = Fault{
	Name:   "other-version",
	Does:   "A node ends, goes on as a later version of the program, and is that of before again after a while.",
	Seen:   "it ran as the later one, and as that of before again",
	Later:  true,
	Share:  30,
	Joined: true,
	Draw:   func(d Dice, e *Event) { e.For = d.Between(1500, 9000) },
	Begin: func(s *Stage, e Event) Going {
		later := s.later()
		if later == nil {
			return Going{Seen: never}
		}
		n, was, back := s.node(e), 0, 0
		turn := func(trial bool) int {
			s.Nodes[e.Node].trial = trial
			n.Crash()
			return n.Lives()
		}
		was = turn(true)
		return Going{
			Seen: func() bool { return back > was && n.Lives() > back && n.Up() },
			End:  func() { back = turn(false) },
		}
	},
}
