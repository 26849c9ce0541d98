package judge

import "fmt"

// epochs looks at the epochs by which replies left: in true time they rise from
// holder to holder, and a holder that was replaced answers no more.
func epochs(e *Evidence) (r Report) {
	r.Checks = handovers(e, func(before, after *holding) {
		if after.epoch > before.epoch && after.first >= before.last {
			return
		}
		r.Findings = append(r.Findings, fmt.Sprintf(
			"slot %d: node %d (life %d) answers by epoch %d from %d to %d, node %d (life %d) by epoch %d from %d to %d",
			after.slot, before.Node, before.Life.Life, before.epoch, before.first, before.last,
			after.Node, after.Life.Life, after.epoch, after.first, after.last))
	})
	return r
}
