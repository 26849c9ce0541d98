package sweep

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim/wasm"
)

// A bundle is a folder with all about a run that failed:
//
//	about.json     what was found, the trace, the module's hash, how to run it again
//	plan.jsonl     the plan
//	history.jsonl  what clients did and saw
//	log.txt        what happened, and what the nodes logged
//	key-1.html     pictures of keys whose operations cannot be explained

// About is the head of a bundle.
type About struct {
	Module   string          // SHA-256 of the node's bytes
	Trace    string          // hexadecimal
	Class    judge.Class     // of the run
	Findings []judge.Finding // all of them
	Replay   string          // the command that runs it again
}

// mostPictures bounds how many keys are drawn.
const mostPictures = 3

// WriteBundle files a run. It runs the plan once more, for the log.
func WriteBundle(dir string, r *play.Result, m *wasm.Module) error {
	return file(dir, r, m.Hash, func(w *bufio.Writer) error { return writeLog(w, r.Plan, m) })
}

// file files a run with a log.
func file(dir string, r *play.Result, hash string, log func(w *bufio.Writer) error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("sweep: bundle: %w", err)
	}
	about := About{hash, fmt.Sprintf("%016x", r.Trace), r.Class, r.Findings, "ironcache sim replay " + dir}
	text, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return fmt.Errorf("sweep: bundle: %w", err)
	}
	parts := []struct {
		name  string
		write func(w *bufio.Writer) error
	}{
		{"about.json", func(w *bufio.Writer) error { _, err := w.Write(append(text, '\n')); return err }},
		{"plan.jsonl", func(w *bufio.Writer) error { return r.Plan.Write(w) }},
		{"history.jsonl", func(w *bufio.Writer) error { return writeHistory(w, r.Evidence.History) }},
		{"log.txt", log},
	}
	for _, part := range parts {
		if err := writeFile(filepath.Join(dir, part.name), part.write); err != nil {
			return err
		}
	}
	return writePictures(dir, r)
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

// writeLog runs the plan and writes down all that happens.
func writeLog(w *bufio.Writer, p *plan.Plan, m *wasm.Module) error {
	play.Run(p, m, play.Options{Tell: func(line string) { fmt.Fprintln(w, line) }})
	return nil
}

// writePictures draws keys that cannot be explained.
func writePictures(dir string, r *play.Result) error {
	report, err := r.Report()
	if err != nil {
		return nil // the findings tell
	}
	for i, v := range report.Of(linearize.Violated) {
		if i == mostPictures {
			break
		}
		draw := func(w *bufio.Writer) error { return report.Picture(w, v.Key) }
		if err := writeFile(filepath.Join(dir, fmt.Sprintf("key-%d.html", i+1)), draw); err != nil {
			return err
		}
	}
	return nil
}

// ReadBundle reads a bundle back.
func ReadBundle(dir string) (*plan.Plan, *About, error) {
	text, err := os.ReadFile(filepath.Join(dir, "about.json"))
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
