package judge

import "fmt"

// log compares what nodes applied with what any node applied at that place, and
// looks at the order in which each life of a node did.
func log(e *Evidence) (r Report) {
	type entry struct {
		term, hash uint64
		by         Life
	}
	entries, last := map[uint64]entry{}, map[Life]Applied{}
	for _, a := range e.Applied {
		before, any := last[a.Life]
		if any && (a.Index <= before.Index || a.Term < before.Term) {
			r.Findings = append(r.Findings, fmt.Sprintf("node %d (life %d) applies entry %d of term %d after entry %d of term %d",
				a.Node, a.Life.Life, a.Index, a.Term, before.Index, before.Term))
		}
		last[a.Life] = a
		known, any := entries[a.Index]
		if !any {
			entries[a.Index] = entry{a.Term, a.Entry, a.Life}
			continue
		}
		r.Checks++
		if known.term != a.Term || known.hash != a.Entry {
			r.Findings = append(r.Findings, fmt.Sprintf("entry %d is of term %d (%x) on node %d, and of term %d (%x) on node %d",
				a.Index, known.term, known.hash, known.by.Node, a.Term, a.Entry, a.Node))
		}
	}
	return r
}
