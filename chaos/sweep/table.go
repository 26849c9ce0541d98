package sweep

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/play"
)

// Table is what came of a sweep.
type Table struct {
	Wanted   int // seeds
	Ran      int
	Classes  map[judge.Class]int
	Begun    map[string]int // faults: how often they were asked for
	Seen     map[string]int // faults: how often their effect was seen
	Checks   map[string]int // of judges, that could have failed
	Virtual  int64          // nanoseconds
	Asked    int            // operations of clients
	Failures []Failure
	Twice    int // seeds that were run twice

	faults []string // that may happen; nil: all
}

// Failure is a seed that is not ok.
type Failure struct {
	Seed    uint64
	Class   judge.Class
	Summary string
}

func newTable(o Options) *Table {
	return &Table{
		Wanted: o.Seeds, Classes: map[judge.Class]int{}, Begun: map[string]int{}, Seen: map[string]int{},
		Checks: map[string]int{}, faults: o.Plan.Faults,
	}
}

func (t *Table) add(r *play.Result) {
	t.Ran++
	t.Classes[r.Class]++
	for name, n := range r.Begun {
		t.Begun[name] += n
	}
	for name, n := range r.Seen {
		t.Seen[name] += n
	}
	for name, n := range r.Checks {
		t.Checks[name] += n
	}
	t.Virtual += r.Virtual
	t.Asked += r.Asked
	if r.Plan.Seed%twice == 0 {
		t.Twice++
	}
	if r.Class != judge.OK {
		t.Failures = append(t.Failures, Failure{r.Plan.Seed, r.Class, r.Summary()})
	}
}

// Class is that of the worst seed.
func (t *Table) Class() judge.Class {
	worst := judge.OK
	for class, n := range t.Classes {
		if n > 0 {
			worst = judge.Worse(worst, class)
		}
	}
	return worst
}

// enough is after how many seeds every fault and every judge must have had a chance.
const enough = 500

// Vacuous lists what a sweep of many seeds with all faults has not tried: faults
// whose effect was never seen, judges with nothing to check. It is empty for small
// sweeps, and for those that leave out faults.
func (t *Table) Vacuous() (list []string) {
	if t.Ran < enough || t.faults != nil {
		return nil
	}
	for _, f := range fault.Table {
		if t.Seen[f.Name] == 0 && !f.Named {
			list = append(list, "fault "+f.Name+" was never seen")
		}
	}
	for _, j := range judge.Table {
		if t.Checks[j.Name] == 0 {
			list = append(list, "judge "+j.Name+" had nothing to check")
		}
	}
	return list
}

// Print writes the table for people.
func (t *Table) Print(w io.Writer) {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tab, "%d of %d seeds, %d of them twice, %d virtual seconds, %d operations\n\n", t.Ran, t.Wanted, t.Twice, t.Virtual/1e9, t.Asked)
	fmt.Fprintln(tab, "fault\tasked for\tseen")
	for _, name := range slices.Sorted(maps.Keys(t.Begun)) {
		fmt.Fprintf(tab, "%s\t%d\t%d\n", name, t.Begun[name], t.Seen[name])
	}
	fmt.Fprintln(tab, "\njudge\tchecks\t")
	for _, name := range slices.Sorted(maps.Keys(t.Checks)) {
		fmt.Fprintf(tab, "%s\t%d\t\n", name, t.Checks[name])
	}
	fmt.Fprintln(tab)
	for _, class := range judge.Classes {
		if n := t.Classes[class]; n > 0 {
			fmt.Fprintf(tab, "%s\t%d\t\n", class, n)
		}
	}
	tab.Flush()
	for _, f := range t.Failures {
		fmt.Fprintf(w, "seed %d: %s: %s\n", f.Seed, f.Class, first(f.Summary))
	}
	for _, text := range t.Vacuous() {
		fmt.Fprintln(w, text)
	}
}

// first is the beginning of a text, on one line.
func first(text string) string {
	const most = 400
	if len(text) > most {
		text = text[:most] + "..."
	}
	return fmt.Sprintf("%.*q", most, text)
}
