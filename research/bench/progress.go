//go:build linux

package main

import (
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
)

// progress shows how far a run is: a bar on a terminal, a line a step elsewhere.
type progress struct {
	out   io.Writer
	fancy bool
	bar   *progressbar.ProgressBar
}

func newProgress(out *os.File) *progress {
	return &progress{out: out, fancy: isatty.IsTerminal(out.Fd())}
}

// say prints a line between steps.
func (p *progress) say(format string, args ...any) {
	if p.bar == nil {
		fmt.Fprintf(p.out, format+"\n", args...)
	}
}

// begin starts a stretch of n steps.
func (p *progress) begin(name string, n int) {
	if p.fancy {
		p.bar = progressbar.NewOptions(n, progressbar.OptionSetWriter(p.out), progressbar.OptionSetDescription(name),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(),
			progressbar.OptionFullWidth())
	}
}

// step notes that one step is done.
func (p *progress) step(format string, args ...any) {
	if p.bar == nil {
		fmt.Fprintf(p.out, "  "+format+"\n", args...)
		return
	}
	p.bar.Describe(fmt.Sprintf(format, args...))
	_ = p.bar.Add(1) // fails only past its end, which shows nothing wrong
}

// end closes the stretch, also after an error.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}
