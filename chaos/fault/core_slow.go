package fault

import "github.com/elares/ironcache/sim/wasm"

var slowCore = Fault{
	Name:   "slow-core",
	Does:   "One core of a node, or all of them, take longer for whatever they ask of the system.",
	Seen:   "a call took longer",
	Amount: "by how many microseconds a call",
	Most:   1_000_000,
	Draw: func(d Dice, e *Event) {
		lasting(d, e)
		e.Amount = d.Between(20, 3000)
	},
	Begin: func(s *Stage, e Event) Going {
		n := s.node(e)
		core, more, before := s.dice(e).Below(n.Start.Shards+1)-1, e.Amount*1000, n.Slowed
		if core < 0 {
			core, more = wasm.AllCores, more/20
		}
		n.Slow(core, more)
		return Going{Seen: func() bool { return n.Slowed > before }, End: func() { n.Slow(core, 0) }}
	},
}
