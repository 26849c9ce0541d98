package fault

import "github.com/elares/ironcache/slots"

var clockDriftBeyond = Fault{
	Name:   "clock-drift-beyond",
	Does:   "All clocks of a node run fast or slow, beyond the bound that leases allow for: two nodes may answer for one slot.",
	Seen:   "its clock and the true one came apart by more than the bound",
	Amount: "by how many parts of a million it runs fast",
	Least:  -million / 2,
	Most:   million / 2,
	Voids:  true,
	Share:  20, // judges see less in such a run
	Joined: true,
	Draw: func(d Dice, e *Event) {
		e.For = d.Between(4000, 15000)
		e.Amount = d.Between(20_000, 400_000)
		if d.Chance(60) { // a slow clock holds a lease for too long
			e.Amount = -e.Amount
		}
	},
	Begin: func(s *Stage, e Event) Going {
		clock, w := s.node(e).Machine.Clock, s.Cluster.World
		ahead := func() int64 { return clock.Peek() - w.Now() }
		before, since := ahead(), w.Now()
		clock.Drift(e.Amount)
		return Going{Seen: func() bool {
			apart, bound := ahead()-before, (w.Now()-since)*slots.DefaultLease.Drift/million
			return max(apart, -apart) > bound+million
		}, End: func() { clock.Drift(0) }}
	},
}
