package fault

var clockDrift = Fault{
	Name:   ClockDrift,
	Does:   "All clocks of a node run fast or slow, within the bound that leases allow for.",
	Seen:   "its clock and the true one came apart",
	Amount: "by how many parts of a million it runs fast",
	Least:  -million / 2,
	Most:   million / 2,
	Draw: func(d Dice, e *Event) {
		e.For = d.Between(1000, 15000)
		e.Amount = d.Between(-MostDrift, MostDrift)
	},
	Begin: func(s *Stage, e Event) Going {
		return drifts(s, e, func(apart, _ int64) bool { return apart != 0 })
	},
}

// drifts has the clocks of a node run fast or slow. seen is asked how many nanoseconds
// they and the true time have come apart, and within how many.
func drifts(s *Stage, e Event, seen func(apart, within int64) bool) Going {
	clock, w := s.node(e).Machine.Clock, s.Cluster.World
	ahead := func() int64 { return clock.Peek() - w.Now() }
	before, since := ahead(), w.Now()
	clock.Drift(e.Amount)
	return Going{
		Seen: func() bool { return seen(ahead()-before, w.Now()-since) },
		End:  func() { clock.Drift(0) },
	}
}

// MostDrift is the largest drift that is drawn, in parts per million: a little
// below the bound of the leases.
const MostDrift = 990

// ClockDrift is the name of the fault.
const ClockDrift = "clock-drift"
