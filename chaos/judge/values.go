package judge

import (
	"slices"

	"github.com/elares/ironcache/linearize"
)

// values looks at each value that a client saw: somebody must have written it to that
// key, and not before its node came back without its data.
func values(e *Evidence) (r Report) {
	wiped := func(key string, from, to int64) bool {
		return slices.ContainsFunc(e.History.Marks, func(m linearize.Mark) bool {
			return m.Kind == linearize.Wipe && m.From > from && m.To < to && slices.Contains(m.Keys, key)
		})
	}
	if e.History.Validate() != nil {
		return r // another judge tells
	}
	found, looked := linearize.Strays(e.History, wiped)
	r.Checks = looked
	for _, s := range found {
		r.Findings = append(r.Findings, s.String())
	}
	return r
}
