package main

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/elares/ironcache/chaos/sweep"
	"github.com/elares/ironcache/sim/wasm"
)

// simWorkerCommand runs plans for another process, which can end it.
type simWorkerCommand struct{}

// Run does what the other process says. Interrupts are for that one: it lets what runs
// come to its end.
func (simWorkerCommand) Run(*program) error {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	pulse, err := sweep.OpenPulse()
	if err != nil {
		return usageError{err}
	}
	s := sweep.Server{In: os.Stdin, Out: os.Stdout, Local: sweep.Local{Pulse: pulse, Spent: spent}, Gone: func() { os.Exit(exitOK) }}
	return s.Serve()
}

// stuckAfter is the patience with nodes that compute for ever.
var stuckAfter = sweep.Patience

// crew are workers that run a node.
func crew(p *program, b *wasm.Binary, o sweep.Origin) *sweep.Crew {
	return &sweep.Crew{Binary: b, Origin: o, Patience: stuckAfter, Cache: wasm.Cache(), Command: func() *exec.Cmd {
		c := exec.Command(itself(), "sim", "worker")
		c.Args[0], c.Stderr = os.Args[0], p.err
		return c
	}}
}

// itself is the file of this program. By the name that Linux has for it, that is the
// same program even if another has taken the place of its file.
func itself() string {
	const running = "/proc/self/exe"
	if _, err := os.Stat(running); err == nil {
		return running
	}
	name, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return name
}

// withWorker does something with one worker.
func withWorker(p *program, b *wasm.Binary, o sweep.Origin, use func(w sweep.Worker) error) error {
	c := crew(p, b, o)
	defer c.Close()
	w := c.Worker()
	defer w.Close()
	return use(w)
}
