package sweep

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/mark"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/report"
)

// Table is what came of a sweep.
type Table struct {
	Wanted   int // seeds
	Ran      int
	Kept     int // of these, those that a journal had
	Classes  map[judge.Class]int
	Begun    map[string]int // faults: how often they were asked for
	Seen     map[string]int // faults: how often their effect was seen
	Checks   map[string]int // of judges, that could have failed
	Marks    map[string]int // how often they were reached
	Virtual  float64        // seconds of the worlds
	CPU      float64        // seconds of processors
	Asked    int            // operations of clients
	Failures []Failure
	Twice    int    // seeds that were run twice
	Traces   uint64 // of all seeds together: equal only if each seed has an equal trace

	part bool // plans leave something out that could happen
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
		Checks: map[string]int{}, Marks: map[string]int{}, part: leavesOut(o.Plan),
	}
}

func (t *Table) add(o *Outcome) {
	t.Ran++
	t.Classes[o.Class]++
	for name, n := range o.Begun {
		t.Begun[name] += n
	}
	for name, n := range o.Seen {
		t.Seen[name] += n
	}
	for name, n := range o.Checks {
		t.Checks[name] += n
	}
	for name, n := range o.Marks {
		t.Marks[name] += n
	}
	t.Virtual += o.Virtual
	t.CPU += o.CPU
	t.Asked += o.Asked
	if o.Twice {
		t.Twice++
	}
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%d %s", o.Seed, o.Trace)
	t.Traces += hash.Sum64()
	if o.Class != judge.OK {
		t.fail(o.Seed, o.Class, o.Finding())
	}
}

// fail notes that a seed is not ok. Of one that was known to be not, more is told.
func (t *Table) fail(seed uint64, class judge.Class, f judge.Finding) {
	said := fmt.Sprintf("%s: %s", f.Judge, f.Text)
	if i := slices.IndexFunc(t.Failures, func(f Failure) bool { return f.Seed == seed }); i >= 0 {
		known := &t.Failures[i]
		known.Class, known.Summary = class, known.Summary+"; "+said
		return
	}
	t.Failures = append(t.Failures, Failure{seed, class, said})
}

// compare looks whether another outcome of a seed that was added went the same way.
func (t *Table) compare(added, other *Outcome) {
	if added.Trace == other.Trace {
		return
	}
	f := disagree(added, other)
	t.Classes[added.Class]--
	added.Class = judge.Worse(added.Class, f.Class)
	t.Classes[added.Class]++
	t.fail(added.Seed, added.Class, f)
}

// sort brings the failures into the order of their seeds.
func (t *Table) sort() {
	slices.SortStableFunc(t.Failures, func(a, b Failure) int { return cmp.Compare(a.Seed, b.Seed) })
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

// leavesOut tells whether plans leave out something that could happen, or time for it.
func leavesOut(o plan.Options) bool {
	return o.Faults != nil || o.Workload != "" || o.Alone || o.NoLater || o.Nodes != 0 && o.Nodes < 3 ||
		o.Seconds != 0 && o.Seconds < plan.DefaultSeconds
}

// Vacuous lists what a sweep of many seeds has not tried: faults whose effect was
// never seen, judges with nothing to check, marks never reached. It is empty for
// small sweeps, and for those whose plans leave something out.
func (t *Table) Vacuous() (list []string) {
	if t.Ran < enough || t.part {
		return nil
	}
	for _, f := range fault.Table {
		if t.Seen[f.Name] == 0 {
			list = append(list, "fault "+f.Name+" was never seen")
		}
	}
	for _, j := range judge.Table {
		if t.Checks[j.Name] == 0 {
			list = append(list, "judge "+j.Name+" had nothing to check")
		}
	}
	for _, m := range mark.Table {
		if t.Marks[m.Name] == 0 {
			list = append(list, "mark "+m.Name+" was never reached")
		}
	}
	return list
}

// Print writes the table for people.
func (t *Table) Print(w io.Writer) {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tab, "%d of %d seeds, %d of them twice, %.0f virtual seconds, %d operations\n", t.Ran, t.Wanted, t.Twice, t.Virtual, t.Asked)
	fmt.Fprintf(tab, "%.2f CPU seconds a seed, all traces %016x\n\n", t.CPU/float64(max(1, t.Ran)), t.Traces)
	if len(t.Begun) > 0 {
		fmt.Fprintln(tab, "fault\tasked for\tseen")
	}
	for _, name := range slices.Sorted(maps.Keys(t.Begun)) {
		fmt.Fprintf(tab, "%s\t%d\t%d\n", name, t.Begun[name], t.Seen[name])
	}
	if len(t.Begun) > 0 {
		fmt.Fprintln(tab)
	}
	fmt.Fprintln(tab, "judge\tchecks")
	for _, name := range slices.Sorted(maps.Keys(t.Checks)) {
		fmt.Fprintf(tab, "%s\t%d\n", name, t.Checks[name])
	}
	fmt.Fprintln(tab, "\nmark\treached")
	for _, m := range mark.Table {
		fmt.Fprintf(tab, "%s\t%d\n", m.Name, t.Marks[m.Name])
	}
	fmt.Fprintln(tab)
	for _, class := range judge.Classes {
		if n := t.Classes[class]; n > 0 {
			fmt.Fprintf(tab, "%s\t%d\n", class, n)
		}
	}
	tab.Flush()
	for _, f := range t.Failures[:min(mostListed, len(t.Failures))] {
		fmt.Fprintf(w, "seed %d: %s: %s\n", f.Seed, f.Class, first(report.Readable(f.Summary)))
	}
	if more := len(t.Failures) - mostListed; more > 0 {
		fmt.Fprintf(w, "and %d seeds more that are not ok\n", more)
	}
	for _, text := range t.Vacuous() {
		fmt.Fprintln(w, text)
	}
}

// mostListed bounds how many seeds that are not ok the table lists.
const mostListed = 50

// first is the beginning of a text, on one line.
func first(text string) string {
	const most = 400
	if len(text) > most {
		text = text[:most] + "..."
	}
	return fmt.Sprintf("%q", text)
}
