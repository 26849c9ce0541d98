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
		return drifts(s, e, func(apart, within int64) bool {
			return max(apart, -apart) > within*slots.DefaultLease.Drift/million+million
		})
	},
}
