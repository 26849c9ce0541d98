package fault

var pauseAtCall = Fault{
	Name:   "pause-at-call",
	Does:   "A node stands still for a while in the middle of what it does, at a call of a door of its.",
	Seen:   "it stood still there",
	Amount: "the call, counted from then",
	Draw: func(d Dice, e *Event) {
		lasting(d, e) // nothing can end it before its time
		e.Amount = d.Between(1, 4000)
	},
	Begin: func(s *Stage, e Event) Going {
		n := s.node(e)
		n.PauseIn(e.Amount, e.For*million)
		return Going{Seen: stands(n)}
	},
}
