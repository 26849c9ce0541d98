package sweep

import (
	"fmt"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/play"
)

// Outcome is what is kept of a seed: a line of a journal, and of what is printed
// for other programs.
type Outcome struct {
	Seed     uint64          `json:"seed"`
	Class    judge.Class     `json:"class"`
	Trace    string          `json:"trace"` // hexadecimal
	Steps    int64           `json:"steps"` // events of the trace
	CPU      float64         `json:"cpu_seconds"`
	Virtual  float64         `json:"virtual_seconds"`
	Asked    int             `json:"operations"`
	Given    int             `json:"given_up"`
	Twice    bool            `json:"twice,omitempty"` // it was run twice, and the traces compared
	Begun    map[string]int  `json:"asked_for"`       // by fault
	Seen     map[string]int  `json:"faults"`          // by fault: its effect was seen
	Checks   map[string]int  `json:"checks"`          // by judge
	Marks    map[string]int  `json:"marks,omitempty"` // how often they were reached
	Findings []judge.Finding `json:"findings,omitempty"`
	// Lost tells that the process that ran it has ended, and so has another one: how the
	// seed goes is not known. It is neither kept nor filed, so that it is run again.
	Lost bool `json:"lost,omitempty"`

	// Kept tells that it comes from a journal: another process has run it.
	Kept bool `json:"-"`
}

// outcomeOf is what is kept of a result.
func outcomeOf(r *play.Result, cpu float64) *Outcome {
	return &Outcome{
		Seed: r.Plan.Seed, Class: r.Class, Trace: fmt.Sprintf("%016x", r.Trace), Steps: r.Steps, CPU: cpu, Virtual: float64(r.Virtual) / 1e9,
		Asked: r.Asked, Given: r.Given, Begun: r.Begun, Seen: r.Seen, Checks: r.Checks, Marks: r.Marks, Findings: r.Findings,
	}
}

// Finding is the first thing that was found of the outcome's class; nothing if it is
// ok.
func (o *Outcome) Finding() (f judge.Finding) {
	for _, f := range o.Findings {
		if f.Class == o.Class {
			return f
		}
	}
	return f
}
