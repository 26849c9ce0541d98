package judge

import "fmt"

// convergence looks at when nodes served again: each is asked for a key of its own after
// the healing, on a network that is kind (play.Run). Of other slots it says nothing.
func convergence(e *Evidence) (r Report) {
	for i, n := range e.Nodes {
		if n.Spoiled || n.Spare {
			continue
		}
		r.Checks++
		if n.Served == 0 || n.Served > e.Served {
			r.Findings = append(r.Findings, fmt.Sprintf("node %d does not serve its slots by %d, %d ns after all faults had ended",
				i, e.Served, e.Served-e.Healed))
		}
	}
	return r
}
