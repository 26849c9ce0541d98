package mutants

import (
	"fmt"
	"io"
	"strings"
)

// claim is the name of a mutant's claim in the documents.
func (m *Mutant) claim() string { return "mutant-" + m.ID }

// Markdown writes the table of the documents, each figure with its claim.
func (r *Results) Markdown(w io.Writer) {
	fmt.Fprintln(w, "| mutant | judge that notices | seeds |\n|---|---|---:|")
	for i := range Table {
		m := &Table[i]
		if row := r.Find(m.ID); row != nil {
			fmt.Fprintf(w, "| %s | %s | %d[^%s] |\n", m.Name, m.Judge, row.Seeds, m.claim())
		}
	}
}

// Claims writes the claims about each mutant and about all of them.
func (r *Results) Claims(w io.Writer) {
	say := func(id, says, value, figure, tolerance string) {
		fmt.Fprintf(w, "\n%s:\n  says: %s\n  value: %s\n  script: go run ./cmd/ironcache sim mutants --out {json}\n"+
			"  result: research/results/mutants.json\n  figure: %s\n  tolerance: %s\n", id, says, value, figure, tolerance)
	}
	all := func(figure, says, tolerance string) {
		say("mutants-"+strings.ReplaceAll(figure, " ", "-"), says, fmt.Sprint(int(r.Figures[figure])), figure, tolerance)
	}
	all("mutants", "Mutants that were hunted", "0.01")
	all("noticed", "Mutants that the named judge noticed", "0.01")
	all("median", "Median of the seeds until the judge noticed", "2")
	all("most", "Most seeds that it took until the judge noticed", "2")
	all("unmutated", "Seeds on which the node without a mutation was found well", "2")
	for i := range Table {
		if row := r.Find(Table[i].ID); row != nil {
			// Other code draws other runs: what counts is that the judge notices.
			say(Table[i].claim(), fmt.Sprintf("Seeds until judge %s noticed that %s", row.Judge, row.Mutant), fmt.Sprint(row.Seeds), "seeds/"+row.ID, "100")
		}
	}
}
