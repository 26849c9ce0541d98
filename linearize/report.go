package linearize

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// A Class is the outcome of a check.
type Class string

// The classes.
const (
	OK       Class = "ok"       // an order of the operations explains all that was seen
	Violated Class = "violated" // none does
	Unknown  Class = "unknown"  // not judged, or not to the end: Verdict.Reason says why
)

// Counts tell how much there was to judge, so that a check that saw nothing is
// not taken for one that passed.
type Counts struct {
	Keys       int
	Operations int
	Reads      int // replies that showed a value
	Absences   int // null replies of kinds that show a value
	Unknowns   int // operations with unknown outcome
	Refused    int // operations that had no effect, left out
	Idle       int // operations with unknown outcome that cannot matter, left out
	Marks      int // in the whole history, whatever keys they concern
	Steps      int // of models
	OK         int // keys of each class
	Violated   int
	Undecided  int
}

// A Verdict is about one key.
type Verdict struct {
	Key    string
	Class  Class
	Model  string // name of the model, empty if none covers the operations
	Reason string // of Violated and Unknown, one sentence
	Counts Counts

	// Of Violated: the longest order of operations that can be explained (without
	// marks and unknown operations), what the key may hold after it, and the
	// operation that stands next in time and cannot follow, nor can any other that
	// could come before it.
	Prefix  []Operation
	State   string
	Blocked *Operation
}

// A Report is the verdict of a history.
type Report struct {
	Class  Class     // Violated if any key is, else Unknown if any key is, else OK
	Keys   []Verdict // of every key, sorted
	Counts Counts

	history *History
	options Options
}

// Of lists the verdicts of one class.
func (r *Report) Of(class Class) (found []Verdict) {
	for _, v := range r.Keys {
		if v.Class == class {
			found = append(found, v)
		}
	}
	return found
}

func (r *Report) add(v Verdict) {
	r.Keys = append(r.Keys, v)
	sum, one := &r.Counts, v.Counts
	sum.Keys++
	sum.Operations += one.Operations
	sum.Reads += one.Reads
	sum.Absences += one.Absences
	sum.Unknowns += one.Unknowns
	sum.Refused += one.Refused
	sum.Idle += one.Idle
	sum.Steps += one.Steps
	switch v.Class {
	case OK:
		sum.OK++
	case Violated:
		sum.Violated++
		r.Class = Violated
	case Unknown:
		sum.Undecided++
		if r.Class == OK {
			r.Class = Unknown
		}
	}
}

// count fills in what operations alone tell. model is nil if none covers them.
func (v *Verdict) count(model *Model, ops []*Operation) {
	v.Counts.Keys = 1
	v.Counts.Operations = len(ops)
	sees := seesOne
	if model != nil {
		sees = model.sees
	}
	for _, op := range ops {
		shows, something := sees(op)
		switch {
		case op.lost():
			v.Counts.Unknowns++
		case shows && something:
			v.Counts.Reads++
		case shows:
			v.Counts.Absences++
		}
	}
}

// seesOne is Model.sees of operations on one value.
func seesOne(op *Operation) (shows, something bool) {
	shows = slices.Contains([]Kind{Get, GetEx, GetSet, GetDel}, op.Kind) && op.Outcome.Result != Refused
	return shows, op.Outcome.Result == Value
}

// explain finds the facts of a violation. It searches again, in the same steps.
func (p *problem) explain(v *Verdict) {
	p.machine.limit = math.MaxInt
	_, info := porcupine.CheckOperationsVerbose(p.porcupine(), p.operations(), 0)
	order := p.longest(info.PartialLinearizations()[0])
	state := p.machine.start()
	for _, i := range order {
		state = p.machine.next(state, p.events[i])
		if op := p.events[i].op; op != nil {
			v.Prefix = append(v.Prefix, *op)
		}
	}
	blocked := p.events[p.blocked(order)]
	v.State = p.machine.describe(state)
	v.Blocked = blocked.op
	v.Reason = fmt.Sprintf("after %d of %d operations the key may hold %s; %s of %s cannot follow, nor can another before it",
		len(order), len(p.events), v.State, blocked, blocked.who())
}

// longest picks the order with the most operations; among equals the one that
// reaches furthest in time, then the first in the order of numbers: porcupine
// gives them in no order.
func (p *problem) longest(orders [][]int) []int {
	best := []int{}
	for i, order := range orders {
		if i == 0 || cmp.Or(
			cmp.Compare(len(order), len(best)),
			cmp.Compare(p.reach(order), p.reach(best)),
			slices.Compare(best, order)) > 0 {
			best = order
		}
	}
	return best
}

func (p *problem) reach(order []int) int64 {
	return p.events[p.blocked(order)].ret
}

// blocked is the event with the earliest return that an order, which is not
// complete, lacks.
func (p *problem) blocked(order []int) int {
	first := -1
	for i, e := range p.events {
		if !slices.Contains(order, i) && (first < 0 || e.ret < p.events[first].ret) {
			first = i
		}
	}
	return first
}

// String is the event as one reads it in a picture.
func (e *event) String() string {
	if e.mark != nil {
		return e.label
	}
	return e.op.String()
}

// String is the operation and what came of it.
func (o *Operation) String() string {
	parts := []string{strings.ToUpper(string(o.Kind))}
	add := func(given bool, format string, args ...any) {
		if given {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	writes := o.Kind == Set || o.Kind == SetNX || o.Kind == GetSet
	add(writes || o.Value != "", "%q", o.Value)
	add(o.If != "", "IF %s", o.If)
	add(o.If == eqOption || o.If == neOption || o.Kind == DelIfEq, "%q", o.Old)
	add(o.If == "" && o.Old != "" && o.Kind != DelIfEq, "WATCHED %q", o.Old)
	add(o.Kind == IncrBy || o.Kind == DecrBy, "%d", o.Delta)
	add(o.Life != 0 || o.Kind == PExpire, "for %dns", o.Life)
	add(o.At != 0, "until %dns", o.At)
	add(o.Keep, "KEEPTTL")
	add(o.Line != 0, "[line %d, place %d]", o.Line, o.Place)
	return strings.Join(parts, " ") + " -> " + o.Outcome.String()
}

// String is the outcome as one reads it.
func (o Outcome) String() string {
	switch o.Result {
	case Value:
		return fmt.Sprintf("%q", o.Text)
	case Refused:
		return strings.TrimSpace("error " + o.Text)
	case Lost:
		return "?"
	}
	return string(o.Result)
}

// describe tells what a key may hold.
func (m *machine) describe(s *state) string {
	var parts []string
	for _, c := range s.configs {
		part := c.held.String()
		for n, e := range m.lost {
			if c.used&(1<<n) != 0 {
				part += fmt.Sprintf(", after %s of %s", e, e.who())
			}
		}
		if len(c.past) > 0 {
			part += fmt.Sprintf(", before which it held one of %d", len(c.past))
		}
		parts = append(parts, part)
	}
	slices.Sort(parts)
	parts = slices.Compact(parts)
	if more := len(parts) - describedMost; more > 0 {
		parts = append(parts[:describedMost], fmt.Sprintf("one of %d others", more))
	}
	return strings.Join(parts, "; or ")
}

// describedMost bounds how many possibilities are told.
const describedMost = 6

func (h held) String() string {
	switch {
	case !h.present:
		return "nothing"
	case !h.timed:
		return fmt.Sprintf("%q", h.text)
	case h.fixed:
		return fmt.Sprintf("%q until %dns", h.text, h.from)
	case h.to == Infinite:
		return fmt.Sprintf("%q for %dns from %d or later", h.text, h.life, h.from)
	}
	return fmt.Sprintf("%q for %dns from %d..%d", h.text, h.life, h.from, h.to)
}
