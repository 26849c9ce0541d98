package fault

var crashAtCall = Fault{
	Name:   "crash-at-call",
	Does:   "A node ends in the middle of what it does, at a call of a door of its.",
	Seen:   "it ended there",
	Amount: "the call, counted from then",
	Draw: func(d Dice, e *Event) {
		downtime(d, e)
		e.Amount = d.Between(1, 4000)
	},
	Begin: func(s *Stage, e Event) Going {
		n := s.node(e)
		s.Nodes[e.Node].Down = e.For * million
		n.CrashIn(e.Amount)
		return Going{Seen: fallen(s, e, n.Lives())}
	},
}
