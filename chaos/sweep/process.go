package sweep

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// process is a worker's process, as the one that gives it orders sees it.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	answers chan answer // is closed when the process says no more
	shared  *shared
	ended   chan struct{} // is closed when the process has ended
}

// launch starts a process.
func launch(c *exec.Cmd) (p *process, err error) {
	p = &process{command: c, answers: make(chan answer), ended: make(chan struct{})}
	if p.shared, err = share(); err != nil {
		return nil, err
	}
	out, theirs, err := os.Pipe()
	if err == nil {
		c.Stdout, c.ExtraFiles, c.SysProcAttr = theirs, []*os.File{p.shared.file}, bound()
		if p.in, err = c.StdinPipe(); err == nil {
			err = p.start()
		}
		err = errors.Join(err, theirs.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("sweep: start a worker: %w", errors.Join(err, p.shared.close()))
	}
	go p.hear(out)
	return p, nil
}

// start starts the process on a thread that stays for as long as the process does:
// the system may end it with its thread, see bound.
func (p *process) start() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.command.Start()
		started <- err
		if err == nil {
			_ = p.command.Wait() // its state says how it ended
		}
		close(p.ended)
	}()
	return <-started
}

// hear passes on what the process says.
func (p *process) hear(out *os.File) {
	defer close(p.answers)
	defer out.Close()
	said := json.NewDecoder(bufio.NewReader(out))
	for {
		var a answer
		if said.Decode(&a) != nil {
			return
		}
		p.answers <- a
	}
}

// hungError says that a process does not come to the end of a step.
type hungError struct{ place place }

func (e *hungError) Error() string {
	return fmt.Sprintf("sweep: a worker computes for ever: %s", e.place)
}

// ask gives an order and waits for its answer; how is told of what happens before. A
// node that is stuck is a hungError; the process must be ended then, as after any
// error.
func (p *process) ask(o *order, how Playing, patience time.Duration) (*answer, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("sweep: an order to a worker: %w", err)
	}
	_, err = p.in.Write(append(append(text, '\n'), o.bytes...))
	if err != nil {
		return nil, p.died(err)
	}
	w := &watch{pulse: p.shared.pulse, cpu: func() (time.Duration, error) { return cpuOf(p.command.Process.Pid) }, patience: patience}
	look := time.NewTicker(min(time.Second, patience/4))
	defer look.Stop()
	for {
		select {
		case a, any := <-p.answers:
			switch {
			case !any:
				return nil, p.died(io.ErrUnexpectedEOF)
			case a.Error != "":
				return nil, errors.New(a.Error)
			case a.Done:
				return &a, nil
			}
			how.tell(&a)
		case <-look.C:
			if w.stuck() {
				return nil, &hungError{w.place}
			}
		}
	}
}

// tell passes on what happened.
func (o *Playing) tell(a *answer) {
	switch {
	case a.Happened != nil && o.Watch != nil:
		o.Watch(a.Happened)
	case a.Line != "" && o.Tell != nil:
		o.Tell(a.Line)
	}
}

// endedError says that a process has ended by itself.
type endedError struct {
	state *os.ProcessState
	place place // where its run was
}

func (e *endedError) Error() string { return fmt.Sprintf("sweep: a worker has ended: %v", e.state) }

// signalled tells whether a signal has ended it.
func (e *endedError) signalled() bool {
	status, ok := e.state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}

// died says how a process ended of which nothing more is heard.
func (p *process) died(err error) error {
	select {
	case <-p.ended:
		return &endedError{p.command.ProcessState, p.shared.pulse.Place()}
	case <-time.After(10 * time.Second):
		return fmt.Errorf("sweep: nothing is heard of a worker: %w", err)
	}
}

// end ends the process. What it said before is told still.
func (p *process) end(how Playing) {
	_ = p.command.Process.Kill()
	for a := range p.answers {
		how.tell(&a)
	}
	<-p.ended
	_ = p.shared.close()
}
