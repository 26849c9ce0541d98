package judge

import (
	"errors"
	"fmt"
	"slices"

	"github.com/elares/ironcache/sim/wasm"
)

// A Judge looks at one thing.
type Judge struct {
	Name  string
	Asks  string // one sentence
	Class Class  // of what it finds
	judge func(*Evidence) Report
}

// Table lists the judges, sorted by name.
var Table = []Judge{
	{"completeness", "Has every leader the entries that were committed in earlier terms?", Safety, completeness},
	{"convergence", "Does every node serve its slots again, soon after all faults have ended?", Liveness, convergence},
	{"epochs", "Do the epochs of a slot only rise, and does each have one holder?", Safety, epochs},
	{"exits", "Does no node end by itself, unless its disk has failed it, and does one that cannot trust its log?", Crash, exits},
	{"lease", "Does nobody answer for a slot while the lease of another holder lasts?", Safety, lease},
	{"linearizable", "Is there an order of all operations on a key that explains what clients saw?", Consistency, linearizable},
	{"log", "Have all nodes applied the same entries at the same places of the log, in its order?", Safety, log},
	{"memory", "Is what nodes hold bounded by what clients wrote?", Liveness, memory},
	{"promises", "Does no node forget a term that it was in, a vote that it gave, or an entry that it applied?", Safety, promises},
	{"replies", "Does no client get a reply that makes no sense?", Consistency, replies},
	{"states", "Are the states of all nodes equal after the same entry of the log?", Safety, states},
	{"stuck", "Does every client get answers once the cluster is well again?", Liveness, stuck},
	{"values", "Does no client see a value that nobody wrote there, or one that a restart has lost?", Consistency, values},
}

// All asks all judges: what they found, and how much each of them checked.
func All(e *Evidence) (class Class, found []Finding, checks map[string]int) {
	class, checks = OK, map[string]int{}
	note := func(f Finding) {
		found = append(found, f)
		class = Worse(class, f.Class)
	}
	switch {
	case errors.Is(e.Stopped, wasm.ErrStuck):
		note(Finding{"run", Stuck, e.Stopped.Error()})
	case e.Stopped != nil:
		note(Finding{"run", Crash, e.Stopped.Error()})
	}
	for _, j := range Table {
		r := j.judge(e)
		checks[j.Name] = r.Checks
		if more := len(r.Findings) - mostTold; more > 0 {
			r.Findings = append(r.Findings[:mostTold:mostTold], fmt.Sprintf("and %d more like these", more))
		}
		for _, text := range r.Findings {
			note(Finding{j.Name, j.Class, text})
		}
		for _, text := range r.Undecided {
			note(Finding{j.Name, Unknown, text})
		}
	}
	return class, found, checks
}

// mostTold bounds the findings of a judge: one fault often shows a thousand times.
const mostTold = 20

// Worse is the worse of two classes.
func Worse(a, b Class) Class {
	return Classes[min(slices.Index(Classes, a), slices.Index(Classes, b))]
}
