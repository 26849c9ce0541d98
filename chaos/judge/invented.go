package judge

import (
	"fmt"
	"slices"

	"github.com/elares/ironcache/linearize"
)

// invented looks for texts that clients read and that nobody ever asked to be
// written to the key. Keys whose values are computed are left out.
func invented(e *Evidence) (r Report) {
	type text struct{ key, value string }
	asked, computed := map[text]bool{}, map[string]bool{}
	for i := range e.History.Operations {
		op := &e.History.Operations[i]
		asked[text{op.Key, op.Value}] = true
		computed[op.Key] = computed[op.Key] || !slices.Contains(plain, op.Kind)
	}
	for i := range e.History.Operations {
		op := &e.History.Operations[i]
		if op.Kind != linearize.Get && op.Kind != linearize.GetEx || op.Outcome.Result != linearize.Value || computed[op.Key] {
			continue
		}
		r.Checks++
		if !asked[text{op.Key, op.Outcome.Text}] {
			r.Findings = append(r.Findings, fmt.Sprintf("key %q: client %d reads %q at %d, which nobody wrote", op.Key, op.Client, op.Outcome.Text, op.Return))
		}
	}
	return r
}

// plain are the kinds that leave in a key what they were given, or nothing.
var plain = []linearize.Kind{
	linearize.Get, linearize.GetEx, linearize.Set, linearize.SetNX, linearize.GetSet, linearize.GetDel, linearize.Del, linearize.DelEx,
	linearize.DelIfEq, linearize.PExpire, linearize.PExpireAt, linearize.Persist,
}
