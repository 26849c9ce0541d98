package judge

import "fmt"

// epochs looks at the epochs by which replies left: in true time they rise from
// holder to holder, and a holder that was replaced answers no more. If clocks ran
// beyond their bound it may for a while, by an epoch of its own still.
func epochs(e *Evidence) (r Report) {
	r.Checks = handovers(e, func(before, after *holding) {
		if after.epoch > before.epoch && after.first >= before.last || e.Voided && after.epoch != before.epoch {
			return
		}
		r.Findings = append(r.Findings, fmt.Sprintf(
			"slot %d: node %d (life %d) answers by epoch %d from %d to %d, node %d (life %d) by epoch %d from %d to %d",
			after.slot, before.Node, before.Life.Life, before.epoch, before.first, before.last,
			after.Node, after.Life.Life, after.epoch, after.first, after.last))
	})
	return r
}
