package sweep

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/sim/wasm"
)

// Server is a worker's side of the talk between processes.
type Server struct {
	In    io.Reader
	Out   io.Writer
	Local Local // what orders do not say
	// Gone is called when In ends, even in the middle of a run: whoever gave the
	// orders is no more, and nobody wants the outcome.
	Gone func()
}

// threads is how many processors a worker uses at a time: one runs a node, and what
// the garbage collector does meanwhile is little.
const threads = 2

// Serve does what it is told to. It fails when it can answer no more.
func (s *Server) Serve() error {
	orders := make(chan *order)
	go func() {
		defer s.Gone()
		in := bufio.NewReader(s.In)
		for {
			o, err := readOrder(in)
			if err != nil {
				return
			}
			orders <- o
		}
	}()
	for o := range orders {
		a, err := s.do(o)
		if err != nil {
			a = &answer{Error: err.Error()}
		}
		a.Done = true
		if err := s.say(a); err != nil {
			return err
		}
	}
	return nil
}

// readOrder reads a line, and the bytes that it tells of.
func readOrder(in *bufio.Reader) (*order, error) {
	text, err := in.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	o := &order{}
	if err := json.Unmarshal(text, o); err != nil {
		return nil, err
	}
	o.bytes = make([]byte, max(0, o.Node)+max(0, o.Later))
	_, err = io.ReadFull(in, o.bytes)
	return o, err
}

func (s *Server) say(a *answer) error {
	text, err := json.Marshal(a)
	if err == nil {
		_, err = s.Out.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("sweep: worker: answer: %w", err)
	}
	return nil
}

// do does what an order says.
func (s *Server) do(o *order) (*answer, error) {
	l := &s.Local
	switch {
	case o.Node > 0:
		m, err := wasm.NewBinary(o.bytes).Compile(context.Background(), o.Cache)
		if err != nil {
			return nil, err
		}
		l.Module, l.Origin = m, o.Origin
		runtime.GOMAXPROCS(min(threads, runtime.GOMAXPROCS(0)))
	case l.Module == nil:
		return nil, errors.New("sweep: worker: there is no node yet")
	case o.Later > 0:
		l.Module.SetLater(func() (*wasm.Module, error) {
			return wasm.NewBinary(o.bytes).Compile(context.Background(), o.Cache)
		})
	case o.File != "":
		return &answer{}, l.File(o.File)
	default:
		outcome, err := s.play(o)
		return &answer{Outcome: outcome}, err
	}
	return &answer{}, nil
}

// play runs the plan of an order.
func (s *Server) play(o *order) (*Outcome, error) {
	p, err := plan.Read(strings.NewReader(o.Plan))
	if err != nil {
		return nil, err
	}
	how := Playing{Twice: o.Twice}
	var lost error
	tell := func(a *answer) { lost = errors.Join(lost, s.say(a)) }
	if o.Watch {
		how.Watch = func(h *play.Happening) { tell(&answer{Happened: h}) }
	}
	if o.Tell {
		how.Tell = func(line string) { tell(&answer{Line: line}) }
	}
	outcome, err := s.Local.Play(p, how)
	return outcome, errors.Join(err, lost)
}
