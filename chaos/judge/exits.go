package judge

import "fmt"

// exits looks at nodes that ended by themselves. A node whose disk fails may.
func exits(e *Evidence) (r Report) {
	r.Checks = len(e.Nodes)
	for _, x := range e.Exits {
		if !x.Shaken {
			r.Findings = append(r.Findings, fmt.Sprintf("node %d (life %d) ended at %d: %s", x.Node, x.Life.Life, x.At, x.Why))
		}
	}
	return r
}
