package judge

import "fmt"

// states compares the states that entries led to.
func states(e *Evidence) (r Report) {
	known := map[uint64]Applied{}
	for _, a := range e.Applied {
		if a.State == 0 {
			continue
		}
		first, any := known[a.Index]
		if !any {
			known[a.Index] = a
			continue
		}
		r.Checks++
		if first.State != a.State {
			r.Findings = append(r.Findings, fmt.Sprintf("after entry %d the state of node %d (life %d) is %x, that of node %d (life %d) %x",
				a.Index, first.Node, first.Life.Life, first.State, a.Node, a.Life.Life, a.State))
		}
	}
	return r
}
