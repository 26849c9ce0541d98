package mark

import (
	"slices"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim/wasm"
)

func losses(e *judge.Evidence) (n int) {
	for i := range e.History.Operations {
		if e.History.Operations[i].Outcome.Result == linearize.Lost {
			n++
		}
	}
	return n
}

func handovers(e *judge.Evidence) (n int) {
	last := map[uint16]judge.Life{}
	for _, f := range e.Fences {
		if !f.Released {
			continue
		}
		for _, slot := range f.Slots {
			if before, any := last[slot]; any && before != f.Life {
				n++
			}
			last[slot] = f.Life
		}
	}
	return n
}

// defeats counts candidates that became followers.
func defeats(e *judge.Evidence) (n int) {
	last := map[judge.Life]wasm.Role{}
	for _, s := range e.Standings {
		if last[s.Life] == wasm.Candidate && s.Role == wasm.Follower {
			n++
		}
		last[s.Life] = s.Role
	}
	return n
}

func refusals(e *judge.Evidence) (n int) {
	for _, f := range e.Fences {
		if !f.Released {
			n++
		}
	}
	return n
}

// takeovers counts new leaders at times at which another node held a lease.
func takeovers(e *judge.Evidence) (n int) {
	for _, l := range e.Leads {
		if slices.ContainsFunc(e.Fences, func(f judge.Fence) bool {
			return f.Node != l.Node && f.Released && f.At < l.At && f.Ends > l.At
		}) {
			n++
		}
	}
	return n
}
