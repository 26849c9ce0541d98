package fault

import "github.com/elares/ironcache/sim"

var splitPartition = Fault{
	Name:   "split-partition",
	Does:   "The nodes come apart into two groups that do not reach each other; clients reach all of them.",
	Seen:   "something that was sent was held",
	Amount: "the group of each node, as bits; the node is in the first, the one behind it in the second",
	Joined: true,
	Draw: func(d Dice, e *Event) {
		lasting(d, e)
		e.Amount = d.Between(1, 1<<15)
	},
	Begin: func(s *Stage, e Event) Going {
		group := map[string]int64{}
		for i := range s.Nodes {
			group[s.host(i)] = e.Amount >> i & 1
		}
		group[s.host((e.Node+1)%len(s.Nodes))] = 1 // there are two groups
		group[s.host(e.Node)] = 0
		return cut(s, func(r sim.Route) bool {
			from, isNode := group[r.From]
			to, areNodes := group[r.To]
			return isNode && areNodes && from != to
		})
	},
}
