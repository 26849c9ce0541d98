package judge

import (
	"cmp"
	"fmt"
	"slices"
)

// completeness looks at the log of each node at the moment when it came to lead:
// it has every entry that was committed by then, as whoever applied it first knew it.
// That an entry is of an earlier term does not say that it was committed before: a
// later leader may do that. (Ongaro and Ousterhout, "In Search of an Understandable
// Consensus Algorithm", figure 3: leader completeness; figure 8.)
func completeness(e *Evidence) (r Report) {
	committed := map[uint64]Applied{}
	for _, a := range e.Applied {
		if known, any := committed[a.Index]; !any || a.At < known.At {
			committed[a.Index] = a
		}
	}
	list := make([]Applied, 0, len(committed))
	for _, a := range committed {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b Applied) int { return cmp.Compare(a.Index, b.Index) })
	for _, l := range e.Leads {
		lead(&r, &l, list)
	}
	return r
}

// lead compares one leader's log with what was committed, by index.
func lead(r *Report, l *Lead, committed []Applied) {
	first := uint64(0)
	if len(l.Log) > 0 {
		first = l.Log[0].Index
	}
	for _, a := range committed {
		if a.At > l.At || a.Term >= l.Term || a.Index <= l.Covered && (first == 0 || a.Index < first) {
			continue
		}
		r.Checks++
		at := a.Index - first
		if first == 0 || a.Index < first || at >= uint64(len(l.Log)) {
			r.Findings = append(r.Findings, fmt.Sprintf("node %d (life %d) leads term %d from %d on and lacks entry %d of term %d, which node %d had applied",
				l.Node, l.Life.Life, l.Term, l.At, a.Index, a.Term, a.Node))
			return // and what follows it
		}
		if has := l.Log[at]; has.Term != a.Term || has.Entry != a.Entry {
			r.Findings = append(r.Findings, fmt.Sprintf("node %d (life %d) leads term %d from %d on, and its entry %d is of term %d (%x); node %d had applied one of term %d (%x)",
				l.Node, l.Life.Life, l.Term, l.At, a.Index, has.Term, has.Entry, a.Node, a.Term, a.Entry))
			return
		}
	}
}
