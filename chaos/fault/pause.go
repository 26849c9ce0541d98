package fault

import "github.com/elares/ironcache/sim/wasm"

// standing draws how long a node stands still, in milliseconds: sometimes longer
// than anybody waits for it.
func standing(d Dice, e *Event) {
	lasting(d, e)
	if d.Chance(10) {
		e.For = d.Between(8000, 20_000)
	}
}

var pause = Fault{
	Name: "pause",
	Does: "A node stands still for a while, its clocks and what it sent before excepted.",
	Seen: "it had something to do meanwhile, and did not do it",
	Draw: standing,
	Begin: func(s *Stage, e Event) Going {
		n := s.node(e)
		n.Pause(e.For * million)
		return Going{Seen: stands(n)}
	},
}

// stands tells whether a node was kept from going on since.
func stands(n *wasm.Node) func() bool {
	before := n.Stood
	return func() bool { return n.Stood > before }
}
