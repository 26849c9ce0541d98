package linearize

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"

	"github.com/anishathalye/porcupine"
)

// Limits bound what is searched for one key. Zero means the default. There is
// no limit of time: a search that takes the same steps has the same verdict on
// a slow machine.
type Limits struct {
	Operations int // with marks, without what cannot matter
	Unknowns   int // operations with unknown outcome among them, at most 64
	Steps      int // attempts to let an operation follow, and comparisons of what comes of them
}

// DefaultLimits are what searches end within. An operation with an unknown
// outcome stays possible until the end of the history, and each can double the
// work: writers move to a fresh key before they reach these.
var DefaultLimits = Limits{Operations: 200, Unknowns: 8, Steps: 2_000_000}

// Options say what the models allow. The zero Options are the strictest: a
// perfect clock, no data lost.
type Options struct {
	Clock      Clock
	Wipes      bool // a key may be empty after a mark of kind Wipe: nodes without durability
	LostWrites bool // a mark of kind Failover may bring back an earlier state: asynchronous replication
	Limits     Limits

	keepIdle bool // tests compare with and without what cannot matter
}

func (o Options) filled() Options {
	o.Limits.Operations = cmp.Or(o.Limits.Operations, DefaultLimits.Operations)
	o.Limits.Unknowns = min(cmp.Or(o.Limits.Unknowns, DefaultLimits.Unknowns), maxUnknowns)
	o.Limits.Steps = cmp.Or(o.Limits.Steps, DefaultLimits.Steps)
	return o
}

// Check judges every key of a history. An error means that the history or the
// options contradict themselves and that nothing was judged. The history must
// not change while the report is in use.
func Check(h *History, o Options) (*Report, error) {
	if err := o.Clock.Validate(); err != nil {
		return nil, err
	}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	report := &Report{Class: OK, history: h, options: o.filled()}
	report.Counts.Marks = len(h.Marks)
	byKey := h.byKey()
	for _, key := range h.Keys() {
		report.add(judge(key, byKey[key], h.Marks, report.options))
	}
	return report, nil
}

// A problem is one key, made ready for the search.
type problem struct {
	key     string
	machine *machine
	events  []*event     // by call, without unknown operations, which the machine has
	out     []*Operation // left out: they had no effect or cannot matter
	idle    int          // of those left out
	clients []int        // see everyone
}

// pose makes the problem of a key, without what cannot matter: operations that
// had no effect, idle ones, and marks that the options do not honour.
func pose(key string, model *Model, ops []*Operation, marks []Mark, o Options) *problem {
	p := &problem{key: key, machine: &machine{model: model, clock: o.Clock, until: -1, limit: o.Limits.Steps}}
	var last int64 // after which nobody saw anything
	for _, op := range p.sift(model, ops, o) {
		e := &event{op: op, client: op.Client, call: op.Call, ret: op.Return, line: -1, after: -1}
		if op.lost() {
			p.machine.lost = append(p.machine.lost, e)
			continue
		}
		p.events = append(p.events, e)
		last = max(last, op.Return)
	}
	for i := range marks {
		mark := &marks[i]
		row := rowOf(mark.Kind)
		if mark.concerns(key) && mark.From <= last && row.on != nil && row.on(o) {
			if row.kind == Failover {
				p.machine.until = max(p.machine.until, mark.To)
			}
			p.events = append(p.events, &event{mark: &row, label: label(mark), by: mark.By, client: markClient, call: mark.From, ret: mark.To, line: -1, after: -1})
		}
	}
	order := func(a, b *event) int {
		return cmp.Or(cmp.Compare(a.call, b.call), cmp.Compare(a.ret, b.ret), cmp.Compare(a.client, b.client), cmp.Compare(a.nth(), b.nth()))
	}
	slices.SortStableFunc(p.events, order)
	slices.SortStableFunc(p.machine.lost, order)
	p.line()
	p.machine.pair()
	p.clients = p.everyone()
	return p
}

// line finds operations that were sent together.
func (p *problem) line() {
	type name struct{ client, line int }
	lines := map[name][]*event{}
	var names []name
	for _, e := range slices.Concat(p.events, p.machine.lost) {
		if e.op == nil || e.op.Line == 0 {
			continue
		}
		n := name{e.client, e.op.Line}
		if lines[n] == nil {
			names = append(names, n)
		}
		lines[n] = append(lines[n], e)
	}
	for _, n := range names {
		if list := lines[n]; len(list) > 1 {
			slices.SortStableFunc(list, func(a, b *event) int { return cmp.Compare(a.nth(), b.nth()) })
			p.machine.line(list)
		}
	}
}

// nth is the event's place in its line.
func (e *event) nth() int {
	if e.op == nil {
		return 0
	}
	return e.op.Place
}

// sift leaves out operations that had no effect and idle ones.
func (p *problem) sift(model *Model, ops []*Operation, o Options) (kept []*Operation) {
	leave := func(out func([]*Operation) []bool) {
		marked := out(ops)
		kept = nil
		for i, op := range ops {
			if marked[i] {
				p.out = append(p.out, op)
			} else {
				kept = append(kept, op)
			}
		}
		ops = kept
	}
	leave(refused)
	if !o.keepIdle {
		before := len(p.out)
		leave(func(ops []*Operation) []bool { return idleReads(model, ops) })
		if model.idle != nil {
			leave(model.idle)
		}
		p.idle = len(p.out) - before
	}
	return kept
}

func refused(ops []*Operation) []bool {
	marked := make([]bool, len(ops))
	for i, op := range ops {
		marked[i] = op.Outcome.Result == Refused
	}
	return marked
}

// markClient stands for the client of events that are marks.
const markClient = math.MaxInt

// who is the client of the event: rows of a picture are counted anew.
func (e *event) who() string {
	if e.mark != nil {
		return "no client"
	}
	return fmt.Sprintf("client %d", e.client)
}

// judge gives the verdict of one key.
func judge(key string, ops []*Operation, marks []Mark, o Options) Verdict {
	v := Verdict{Key: key, Class: Unknown}
	model := modelOf(ops)
	v.count(model, ops)
	if model == nil {
		v.Reason = fmt.Sprintf("no model covers %v together", kindsOf(ops))
		return v
	}
	v.Model = model.Name
	p := pose(key, model, ops, marks, o)
	v.Counts.Idle, v.Counts.Refused = p.idle, len(p.out)-p.idle
	if v.Reason = p.tooLarge(o.Limits); v.Reason == "" {
		p.search(&v)
	}
	return v
}

// tooLarge says which limit the problem is above, nothing if none.
func (p *problem) tooLarge(l Limits) string {
	operations, unknowns := len(p.events)+len(p.machine.lost), len(p.machine.lost)
	switch {
	case operations > l.Operations:
		return fmt.Sprintf("%d operations, of at most %d", operations, l.Operations)
	case unknowns > l.Unknowns:
		return fmt.Sprintf("%d operations with unknown outcome, of at most %d", unknowns, l.Unknowns)
	}
	return ""
}

// search asks porcupine, which calls Step from one goroutine at a time here and
// has ended it on return: a problem is one partition.
//
// Once the machine is spent, nothing is legal any more, and porcupine backs out
// in a time that is quadratic in the operations.
func (p *problem) search(v *Verdict) {
	legal := porcupine.CheckOperations(p.porcupine(), p.operations())
	v.Counts.Steps = p.machine.steps
	switch {
	case legal:
		v.Class = OK
	case p.machine.spent():
		v.Reason = fmt.Sprintf("no verdict within %d steps", p.machine.limit)
	default:
		v.Class = Violated
		p.explain(v)
	}
}

// porcupine is the model in porcupine's terms.
//
// Porcupine asks Equal only whether a new state was visited before, after the
// same operations, as Equal(new, visited): an order that goes on from new is
// then not tried. That is right as soon as the visited state covers the new one,
// since what was tried from it in vain includes all that could be tried from the
// new one. Without Hash, all states after the same operations are compared.
func (p *problem) porcupine() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return p.machine.start() },
		Step: func(before, input, _ any) (bool, any) {
			after := p.machine.next(before.(*state), input.(*event))
			return after != nil, after
		},
		Equal: func(new, seen any) bool {
			fresh, visited := new.(*state), seen.(*state)
			covers, looked := visited.covers(fresh)
			p.machine.steps += work(1, looked)
			return covers
		},
		DescribeOperation: func(input, _ any) string { return input.(*event).String() },
		DescribeState:     func(s any) string { return html.EscapeString(p.machine.describe(s.(*state))) },
	}
}

// operations are the events in porcupine's terms.
func (p *problem) operations() []porcupine.Operation {
	operations := make([]porcupine.Operation, len(p.events))
	for i, e := range p.events {
		operations[i] = porcupine.Operation{ClientId: p.row(e.client), Input: e, Call: e.call, Return: e.ret, Metadata: e.who()}
	}
	return operations
}

// modelOf is the first model that covers all operations, nil if none does.
func modelOf(ops []*Operation) *Model {
	for i := range Models {
		foreign := func(op *Operation) bool { return !slices.Contains(Models[i].Kinds, op.Kind) }
		if !slices.ContainsFunc(ops, foreign) {
			return &Models[i]
		}
	}
	return nil
}

func kindsOf(ops []*Operation) []Kind {
	var kinds []Kind
	for _, op := range ops {
		kinds = append(kinds, op.Kind)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}
