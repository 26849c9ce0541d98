package judge

import (
	"fmt"
	"slices"
	"strings"
)

// exits looks at nodes that ended by themselves. A node whose disk fails may, and
// says so; that a promise of its own code was broken is no answer to any disk. One
// that does not know what of its log is durable has to.
func exits(e *Evidence) (r Report) {
	r.Checks = len(e.Nodes)
	for _, x := range e.Exits {
		broken := slices.ContainsFunc(bugs, func(text string) bool { return strings.Contains(x.Why, text) })
		if !x.Shaken || broken {
			r.Findings = append(r.Findings, fmt.Sprintf("node %d (life %d) ended at %d: %s", x.Node, x.Life.Life, x.At, x.Why))
		}
	}
	for _, x := range e.Unsure {
		r.Findings = append(r.Findings, fmt.Sprintf("node %d (life %d) goes on, and %s at %d", x.Node, x.Life.Life, x.Why, x.At))
	}
	return r
}

// bugs are what a program that is wrong writes last.
var bugs = []string{"invariant broken", "runtime error:", "fatal error:"}
