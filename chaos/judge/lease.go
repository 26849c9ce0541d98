package judge

import "fmt"

// lease looks at replies as they left: none may leave after the lease of the node
// has ended by its own clock, nor while the lease lasts by which another life of a
// node, or another node, answered for the slot, whether that one still runs or not.
// The latter needs clocks within their bound, and a right that was given up is not
// waited for.
func lease(e *Evidence) (r Report) {
	handed := handovers(e, func(before, after *holding) {
		if e.Voided || before.Life == after.Life || e.Given[before.right] || after.first > before.ends {
			return
		}
		r.Findings = append(r.Findings, fmt.Sprintf(
			"slot %d: node %d (life %d, epoch %d) answers at %d, while the lease of node %d (life %d, epoch %d) lasts until %d",
			after.slot, after.Node, after.Life.Life, after.epoch, after.first,
			before.Node, before.Life.Life, before.epoch, before.ends))
	})
	if !e.Voided {
		r.Checks = handed
	}
	for _, f := range e.Fences {
		switch {
		case !f.Released:
			r.Checks++
		case f.Ends <= f.At:
			r.Findings = append(r.Findings, fmt.Sprintf("node %d (life %d) answers for slots %v at %d, and has no lease any more",
				f.Node, f.Life.Life, f.Slots, f.At))
		}
	}
	return r
}
