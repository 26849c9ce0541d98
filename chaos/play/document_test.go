package play

import (
	"os"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
)

// The plan that the document has for an example runs, and does what is said of it.
func TestPlanOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "\n```jsonl\n")
	example, _, _ = strings.Cut(example, "```\n")
	p, err := plan.Read(strings.NewReader(example))
	if err != nil {
		t.Fatal(err)
	}
	r := Run(p, module(t), Options{})
	if r.Class != judge.OK || r.Seen["pause"] != 1 || r.Seen["slow-network"] != 1 || len(p.Events) != 2 {
		t.Errorf("%s: %v; seen %v", r.Class, r.Findings, r.Seen)
	}
}
