//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/elares/ironcache/research/bench/machine"
)

// A section is a printed table.
type section struct {
	title   string
	note    string
	table   *table
	columns []column
}

// A report gathers what the rows found. Its JSON form is what claims refer to.
type report struct {
	When    string              `json:"when"`
	Machine map[string]string   `json:"machine"`
	Options map[string]any      `json:"options"`
	Notes   []string            `json:"notes,omitempty"`
	Figures map[string]float64  `json:"figures"` // medians by row/case/metric/server, ratios by row/case/metric/a:b
	Rounds  map[string][]sample `json:"rounds"`  // every sample by row/case/server

	sections []section
}

func newReport(opt options) *report {
	cpu, kernel := machine.Model()
	theirs, _ := exec.Command("redis-server", "--version").Output()
	return &report{
		When: time.Now().UTC().Format(time.RFC3339),
		Machine: map[string]string{
			"cpu": cpu, "kernel": kernel, "cpus": fmt.Sprint(runtime.NumCPU()),
			"go": runtime.Version(), "redis-server": strings.TrimSpace(string(theirs)),
		},
		Options: map[string]any{
			"rounds": opt.Rounds, "seconds": opt.Time.Seconds(), "connections": opt.Conns,
			"keys": opt.Keys, "many": opt.Many, "quick": opt.Quick, "foreign_limit": opt.Foreign,
		},
		Figures: map[string]float64{}, Rounds: map[string][]sample{},
	}
}

func (r *report) note(text string)  { r.Notes = append(r.Notes, text) }
func (r *report) section(s section) { r.sections = append(r.sections, s) }

// keep files the figures of a row.
func (r *report) keep(t *table) {
	for _, of := range t.cases {
		for _, server := range t.servers {
			r.Rounds[t.row+"/"+of+"/"+server] = t.samples[[2]string{of, server}]
			for _, m := range metrics {
				r.figure(t.median(of, server, m), t.row, of, m.name, server)
				for _, other := range t.servers {
					if other != server {
						r.figure(t.ratio(of, server, other, m), t.row, of, m.name, server+":"+other)
					}
				}
			}
		}
	}
}

func (r *report) figure(value float64, path ...string) {
	if value != 0 {
		r.Figures[strings.Join(path, "/")] = value
	}
}

// publish prints the tables and, if a file is named, writes the JSON.
func (r *report) publish(out io.Writer, file string) error {
	fmt.Fprintf(out, "\nMachine: %s, %s CPUs, Linux %s, %s; %s\n", r.Machine["cpu"], r.Machine["cpus"], r.Machine["kernel"], r.Machine["go"], r.Machine["redis-server"])
	if quick, _ := r.Options["quick"].(bool); quick {
		fmt.Fprintln(out, "\n**A quick run: these figures prove nothing.**")
	}
	for _, s := range r.sections {
		fmt.Fprintf(out, "\n### %s\n\n%s\n\n%s", s.title, s.note, s.markdown())
	}
	if verdicts := judge(r.Figures); verdicts != "" {
		fmt.Fprintf(out, "\n### Bars\n\n%s", verdicts)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(out, "\nNote: %s\n", note)
	}
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make the report's folder: %w", err)
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
