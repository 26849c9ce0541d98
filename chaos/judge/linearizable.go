package judge

import (
	"fmt"

	"github.com/elares/ironcache/linearize"
)

// linearizable asks package linearize. If clocks ran beyond their bound there need be
// no order of the operations.
func linearizable(e *Evidence) (r Report) {
	if e.Voided {
		return r
	}
	report, err := linearize.Check(e.History, e.Options)
	if err != nil {
		r.Undecided = append(r.Undecided, err.Error())
		return r
	}
	for _, v := range report.Keys {
		switch v.Class {
		case linearize.OK:
			r.Checks += v.Counts.Reads
		case linearize.Violated:
			r.Checks++
			r.Findings = append(r.Findings, fmt.Sprintf("key %q: %s", v.Key, v.Reason))
		case linearize.Unknown:
			r.Undecided = append(r.Undecided, fmt.Sprintf("key %q: %s", v.Key, v.Reason))
		}
	}
	return r
}
