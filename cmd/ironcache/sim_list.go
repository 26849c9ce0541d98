package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/mark"
	"github.com/elares/ironcache/chaos/mutants"
	"github.com/elares/ironcache/chaos/workload"
)

// simListCommand lists what there is.
type simListCommand struct{}

// Run prints faults, judges, marks, mutants and workloads.
func (simListCommand) Run(p *program) error {
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "faults\t\t")
	for _, f := range fault.Table {
		fmt.Fprintf(w, "  %s\t%s\n\tseen when: %s\n", f.Name, f.Does, f.Seen)
		if f.Amount != "" {
			fmt.Fprintf(w, "\tamount: %s\n", f.Amount)
		}
	}
	fmt.Fprintln(w, "judges\t\t")
	for _, j := range judge.Table {
		fmt.Fprintf(w, "  %s\t%s (%s)\n", j.Name, j.Asks, j.Class)
	}
	fmt.Fprintln(w, "marks\t\t")
	for _, m := range mark.Table {
		fmt.Fprintf(w, "  %s\t%s\n", m.Name, m.Says)
	}
	fmt.Fprintln(w, "mutants\tbuilt from source: a release, too, needs Go and a checkout for them\t")
	for _, m := range mutants.Table {
		fmt.Fprintf(w, "  %s\t%s (%s)\n", m.ID, m.Name, m.Judge)
	}
	fmt.Fprintln(w, "workloads\t\t")
	for _, l := range workload.Table {
		fmt.Fprintf(w, "  %s\t%s\n", l.Name, l.Does)
		if l.Alone {
			fmt.Fprintf(w, "\tonly of a node that is in no cluster\n")
		}
		fmt.Fprintf(w, "\tjudged by: %s\n", strings.Join(l.Judges, ", "))
	}
	return w.Flush()
}
