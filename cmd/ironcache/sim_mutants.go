package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/elares/ironcache/chaos/mutants"
	"github.com/elares/ironcache/sim/wasm"
)

// simMutantsCommand hunts mutants.
type simMutantsCommand struct {
	Seeds int    `default:"200" help:"The most seeds a mutant."`
	Only  string `placeholder:"TEXT" help:"Only mutants with this text in their name."`
}

// Run prints a line a mutant.
func (c *simMutantsCommand) Run(p *program) error {
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', tabwriter.TabIndent)
	fmt.Fprintln(w, "mutant\tjudge\tseeds\tothers first\tCPU seconds")
	survived := 0
	for i := range mutants.Table {
		m := &mutants.Table[i]
		if !strings.Contains(m.Name, c.Only) {
			continue
		}
		before := spent()
		text, err := m.Build(context.Background(), ".")
		if err != nil {
			return err
		}
		node, err := wasm.OpenBytes(context.Background(), text)
		if err != nil {
			return err
		}
		took, others := m.Hunt(node, c.Seeds)
		seeds := fmt.Sprint(took)
		if took == 0 {
			survived++
			seeds = fmt.Sprintf("over %d", c.Seeds)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%.1f\n", m.Name, m.Judge, seeds, others, spent()-before)
		w.Flush()
	}
	if survived > 0 {
		return fmt.Errorf("%d mutants were not noticed", survived)
	}
	return nil
}

// spent is the processor time of the process, in seconds.
func spent() float64 {
	system, user := cpuSeconds()
	return system + user
}
