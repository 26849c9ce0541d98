package fault

var clockJump = Fault{
	Name:   "clock-jump",
	Does:   "The civil time of a node is set, forward or back. The clock that leases count by is not.",
	Seen:   "it ran by the time that was set",
	Amount: "by how many milliseconds forward",
	Least:  -LongestRun,
	Most:   LongestRun,
	Jumps:  true,
	Draw: func(d Dice, e *Event) {
		e.Amount = d.Between(-400, 400)
		if d.Chance(10) {
			e.Amount = d.Between(-60_000, 60_000)
		}
	},
	Begin: func(s *Stage, e Event) Going {
		n := s.node(e)
		n.Machine.Clock.Offset += e.Amount * million
		return Going{Seen: n.Up}
	},
}
