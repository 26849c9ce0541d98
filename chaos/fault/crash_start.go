package fault

var crashAtStart = Fault{
	Name:   "crash-at-start",
	Does:   "A node ends, and ends once more while it starts again.",
	Seen:   "its next life ended at that call of a door",
	Amount: "the call of a door, counted from the start",
	Draw: func(d Dice, e *Event) {
		downtime(d, e)
		e.Amount = d.Between(1, 600)
	},
	Begin: func(s *Stage, e Event) Going {
		n := s.node(e)
		s.Nodes[e.Node].Down = e.For * million
		n.Crash()
		n.Fuse = e.Amount
		return Going{Seen: fallen(s, e, n.Lives()+1)}
	},
}
