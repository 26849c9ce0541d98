package plan

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/linearize/strict"
)

// A plan is written as lines of JSON: a head, then a line an event. Empty lines and
// those that begin with # are for its reader. docs/simulator.md has an example and
// all fields.
const (
	format  = "ironcache-plan"
	version = 1
)

type head struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Plan
}

// Write writes the plan.
func (p *Plan) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	if err := e.Encode(head{format, version, *p}); err != nil {
		return fmt.Errorf("plan: write: %w", err)
	}
	for i := range p.Events {
		if err := e.Encode(&p.Events[i]); err != nil {
			return fmt.Errorf("plan: write event %d: %w", i+1, err)
		}
	}
	return nil
}

// Read reads a plan and tells what is wrong with it, with the line.
func Read(r io.Reader) (*Plan, error) {
	var h head
	begun := false
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if err := h.line(line, !begun); err != nil {
			return nil, fmt.Errorf("plan: line %d: %w", number, err)
		}
		begun = true
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("plan: read: %w", err)
	}
	if !begun {
		return nil, errors.New("plan: it is empty")
	}
	p := h.Plan
	p.sort()
	return &p, nil
}

// line takes a line: the head, or an event.
func (h *head) line(line []byte, first bool) error {
	if first {
		if err := decode(line, h); err != nil {
			return err
		}
		if h.Format != format || h.Version != version {
			return fmt.Errorf("format %q of version %d: %q of version %d is read", h.Format, h.Version, format, version)
		}
		return h.Validate()
	}
	var e fault.Event
	if err := decode(line, &e); err != nil {
		return err
	}
	if err := h.check(&e, h.Events); err != nil {
		return err
	}
	h.Events = append(h.Events, e)
	return nil
}

// decode reads JSON, and says of a value of another kind where it stands and which kind
// must.
func decode(line []byte, into any) error {
	err := strict.Unmarshal(line, into)
	var other *json.UnmarshalTypeError
	if !errors.As(err, &other) {
		return err
	}
	must := map[reflect.Kind]string{
		reflect.Bool: "true or false", reflect.String: "a string", reflect.Struct: "an object", reflect.Uint64: "a whole number that is not negative",
	}[other.Type.Kind()]
	return fmt.Errorf("%s %s: it must be %s", other.Value, strings.TrimPrefix(other.Field, "Plan."), cmp.Or(must, "a whole number"))
}
