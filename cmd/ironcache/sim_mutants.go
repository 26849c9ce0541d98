package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/elares/ironcache/chaos/mutants"
	"github.com/elares/ironcache/chaos/report"
	"github.com/elares/ironcache/chaos/sweep"
	"github.com/elares/ironcache/sim/wasm"
)

// simMutantsCommand hunts mutants.
type simMutantsCommand struct {
	Seeds int      `default:"200" help:"The most seeds a mutant (200)."`
	Only  []string `placeholder:"ID" help:"Only these mutants, by ID, and the node as it is if the file of results has all mutants."`
	From  int      `default:"1" help:"Begin with this mutant of the list (1)."`
	Again bool     `help:"Hunt also those that the file of results has of the same node and plans."`
	Table bool     `help:"Hunt none: print the table and the claims of the documents from the file of results."`
	Out   string   `default:"research/results/mutants.json" placeholder:"FILE" help:"File of results (research/results/mutants.json)."`
}

// Run hunts one mutant after the other, files what came of each, and prints the
// table.
func (c *simMutantsCommand) Run(p *program) error {
	if c.Seeds < 1 || c.From < 1 || c.From > len(mutants.Table) {
		return usageError{fmt.Errorf("%d seeds from mutant %d of %d: seeds must be 1 or more, and the mutant in the list", c.Seeds, c.From, len(mutants.Table))}
	}
	for _, id := range c.Only {
		if mutants.Find(id) == nil {
			return noMutant(id)
		}
	}
	results, err := mutants.Load(c.Out)
	if err != nil {
		return err
	}
	if c.Table {
		results.Markdown(p.out)
		results.Claims(p.out)
		return nil
	}
	if err := mutants.Buildable("."); err != nil {
		return err
	}
	node, err := wasm.Build(context.Background(), ".")
	if err != nil {
		return err
	}
	h := &mutantHunt{program: p, command: c, results: results, of: mutants.Fingerprint(node), show: newProgress(p.err, c.Seeds)}
	stop, release := interrupted(func() { h.show.say("the seeds that run are finished; interrupt once more to end at once") })
	defer release()
	h.stop = stop
	err = h.all()
	if err == nil {
		err = h.unmutated(node)
	}
	h.show.end()
	if err != nil {
		return err
	}
	return h.report()
}

// mutantHunt is the hunt of all mutants.
type mutantHunt struct {
	program *program
	command *simMutantsCommand
	results *mutants.Results
	of      string // what they are mutants of
	show    *progress
	stop    <-chan struct{}
	stopped int // the mutant at which it was, from 1; 0: it was not
}

// all hunts the mutants that are wanted.
func (h *mutantHunt) all() error {
	c := h.command
	for i := c.From - 1; i < len(mutants.Table) && h.stopped == 0; i++ {
		m := &mutants.Table[i]
		known := h.results.Find(m.ID)
		switch {
		case len(c.Only) > 0 && !slices.Contains(c.Only, m.ID):
		case known != nil && known.Of == h.of && known.Noticed() && !c.Again:
		default:
			if err := h.one(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// one hunts one mutant.
func (h *mutantHunt) one(i int) error {
	m, seeds := &mutants.Table[i], h.command.Seeds
	name := fmt.Sprintf("%d/%d %s: ", i+1, len(mutants.Table), m.ID)
	h.show.begin(name, seeds)
	text, err := m.Build(context.Background(), ".")
	if err != nil {
		return err
	}
	found, err := h.hunt(text, m.Judge, seeds)
	if err != nil {
		return err
	}
	switch {
	case found.Stopped:
		h.stopped = i + 1
		return nil
	case found.Seeds == 0:
		h.show.say(fmt.Sprintf("%snot noticed on %d seeds", name, seeds))
	default:
		h.show.say(fmt.Sprintf("%s%d seeds, %s", name, found.Seeds, report.Readable(briefly(found.Finding))))
	}
	h.results.Put(mutants.Row{
		ID: m.ID, Mutant: m.Name, Judge: cmp.Or(found.Judge, m.Judge), Seeds: found.Seeds, Most: seeds, Others: found.Others,
		CPU: float64(int(found.CPU*10)) / 10, Finding: briefly(found.Finding), Of: h.of,
	})
	return h.results.Save(h.command.Out)
}

// hunt sweeps with a node. What it is compiled to is not kept.
func (h *mutantHunt) hunt(text []byte, judge string, seeds int) (mutants.Hunted, error) {
	workers := crew(h.program, wasm.NewBinary(text), sweep.Origin{})
	workers.Cache = ""
	defer workers.Close()
	h.show.start()
	return mutants.Hunt(judge, sweep.Options{
		Seeds: seeds, Worker: workers.Worker, Stop: h.stop,
		Done: func(o *sweep.Outcome, t *sweep.Table) error { h.show.done(o, t); return nil },
	})
}

// unmutated runs the node as it is on as many seeds as any mutant took, once all
// were hunted.
func (h *mutantHunt) unmutated(node []byte) error {
	most, known := h.results.Most(), &h.results.Unmutated
	if h.stopped != 0 || len(h.results.Rows) < len(mutants.Table) || known.Of == h.of && known.Seeds >= most && known.Finding == "" {
		return nil
	}
	const name = "unmutated: "
	h.show.say(fmt.Sprintf("%sthe node as it is, on the %d seeds that the slowest mutant took", name, most))
	h.show.begin(name, most)
	found, err := h.hunt(node, mutants.AnyJudge, most)
	if err != nil {
		return err
	}
	if found.Stopped {
		h.stopped = len(mutants.Table)
		return nil
	}
	h.show.say(name + orOK(report.Readable(briefly(found.Finding))))
	*known = mutants.Unmutated{Seeds: most, Finding: briefly(found.Finding), Of: h.of}
	return h.results.Save(h.command.Out)
}

// report prints the table and tells how it went.
func (h *mutantHunt) report() error {
	w := tabwriter.NewWriter(h.program.out, 0, 0, 2, ' ', tabwriter.TabIndent)
	fmt.Fprintln(w, "\tmutant\tnoticed by\tseeds\tothers first\tCPU seconds")
	for i, row := range h.results.Rows {
		by, seeds := row.Judge, fmt.Sprint(row.Seeds)
		if row.Seeds == 0 {
			by, seeds = "nobody", fmt.Sprintf("over %d", row.Most)
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%d\t%.1f\n", i+1, row.Mutant, by, seeds, row.Others, row.CPU)
	}
	w.Flush()
	fmt.Fprintf(h.program.out, "%d of %d mutants hunted, median %d seeds, most %d; the node as it is: %s\n", len(h.results.Rows), len(mutants.Table),
		h.results.Median(), h.results.Most(), h.asItIs())
	if h.stopped != 0 {
		return simError{fmt.Sprintf("interrupted; the same command goes on with --from %d", h.stopped), exitInterrupted}
	}
	if left := h.results.Survivors(); len(left) > 0 {
		return fmt.Errorf("not noticed by the judge that they name: %s", strings.Join(left, ", "))
	}
	if h.results.Unmutated.Finding != "" {
		return fmt.Errorf("the node as it is is not well: %s", h.results.Unmutated.Finding)
	}
	return nil
}

// asItIs says what came of the node without a mutation.
func (h *mutantHunt) asItIs() string {
	known := h.results.Unmutated
	if known.Seeds == 0 {
		return "not swept before all mutants are hunted"
	}
	return fmt.Sprintf("%s, on %d seeds", orOK(known.Finding), known.Seeds)
}

func orOK(finding string) string {
	if finding == "" {
		return "ok"
	}
	return finding
}

// briefly is the beginning of a text, on one line.
func briefly(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = text[:most] + "..."
	}
	return text
}

// spent is the processor time of the process, in seconds.
func spent() float64 {
	system, user := cpuSeconds()
	return system + user
}
