package sweep

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/chaos/report"
	"github.com/elares/ironcache/linearize"
)

// A bundle is a folder with all about a run that failed:
//
//	page.html      what happened, to be opened in a browser
//	about.json     what was found, the trace, the module's hash, how to run it again
//	plan.jsonl     the plan
//	history.jsonl  what clients did and saw
//	log.txt        all that happened, with what the nodes logged

// About is the head of a bundle.
type About struct {
	Module string // SHA-256 of the node's bytes
	Origin
	Trace    string          // hexadecimal
	Class    judge.Class     // of the run
	Findings []judge.Finding // all of them
	Replay   string          // the command that runs it again
}

// Origin is what the node of a run was made from.
type Origin struct {
	Commit string `json:",omitempty"` // empty: not known
	Mutant string `json:",omitempty"` // that the node is; empty: it is right
}

// file files a run with its log.
func file(dir string, r *play.Result, about About, log *report.Log) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("sweep: bundle: %w", err)
	}
	about.Trace, about.Class, about.Findings, about.Replay = fmt.Sprintf("%016x", r.Trace), r.Class, r.Findings, "ironcache sim replay "+ShellWord(dir)
	text, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return fmt.Errorf("sweep: bundle: %w", err)
	}
	page := report.About{Replay: about.Replay, Module: about.Module, Commit: about.Commit, Mutant: about.Mutant}
	parts := []struct {
		name  string
		write func(w *bufio.Writer) error
	}{
		{"about.json", func(w *bufio.Writer) error { _, err := w.Write(append(text, '\n')); return err }},
		{"plan.jsonl", func(w *bufio.Writer) error { return r.Plan.Write(w) }},
		{"history.jsonl", func(w *bufio.Writer) error { return writeHistory(w, r.Evidence.History) }},
		{"log.txt", func(w *bufio.Writer) error { return log.Write(w) }},
		{"page.html", func(w *bufio.Writer) error { return report.Page(w, page, r, log) }},
	}
	for _, part := range parts {
		if err := writeFile(filepath.Join(dir, part.name), part.write); err != nil {
			return err
		}
	}
	return nil
}

// plainWord holds what a shell leaves as it is.
const plainWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%"

// ShellWord is a word as a shell takes it.
func ShellWord(word string) string {
	if strings.Trim(word, plainWord) == "" && word != "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func writeFile(name string, write func(w *bufio.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("sweep: bundle: %w", err)
	}
	w := bufio.NewWriter(f)
	if err := errors.Join(write(w), w.Flush(), f.Close()); err != nil {
		return fmt.Errorf("sweep: bundle: write %s: %w", name, err)
	}
	return nil
}

func writeHistory(w *bufio.Writer, h *linearize.History) error {
	out, err := linearize.NewWriter(w)
	if err != nil {
		return err
	}
	for i := range h.Operations {
		if err := out.Operation(&h.Operations[i]); err != nil {
			return err
		}
	}
	for i := range h.Marks {
		if err := out.Mark(&h.Marks[i]); err != nil {
			return err
		}
	}
	return nil
}

// ReadBundle reads a bundle back.
func ReadBundle(dir string) (*plan.Plan, *About, error) {
	text, err := os.ReadFile(filepath.Join(dir, "about.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("sweep: %s is no bundle: that is a folder, with about.json and plan.jsonl in it, in which a sweep files a seed that failed, as DIR/seed-17 with --out DIR, or as sim-failures/seed-17", dir)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("sweep: bundle: %w", err)
	}
	var about About
	if err := json.Unmarshal(text, &about); err != nil {
		return nil, nil, fmt.Errorf("sweep: bundle %s: about.json: %w", dir, err)
	}
	f, err := os.Open(filepath.Join(dir, "plan.jsonl"))
	if err != nil {
		return nil, nil, fmt.Errorf("sweep: bundle: %w", err)
	}
	defer f.Close()
	p, err := plan.Read(f)
	return p, &about, err
}
