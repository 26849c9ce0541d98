package fault

var pauseAtReply = Fault{
	Name:   "pause-at-reply",
	Does:   "A node stands still between what it has read of a client and its reply, often for longer than its lease.",
	Seen:   "it stood still there",
	Amount: "for how many milliseconds",
	Most:   LongestRun,
	Draw: func(d Dice, e *Event) {
		e.For, e.Amount = d.Between(500, 3000), d.Between(200, 8000)
	},
	Begin: func(s *Stage, e Event) Going {
		n := s.node(e)
		n.PauseBehindRead(e.Amount * million)
		return Going{Seen: stands(n), End: func() { n.PauseBehindRead(0) }}
	},
}
