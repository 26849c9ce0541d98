package linearize

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// A mix says what a drawn history is made of.
type mix struct {
	model      *Model
	kinds      []Kind
	operations int
	lost       int   // of 100 operations
	spread     int   // by how much intervals reach beyond the moment of effect
	pause      int   // between moments, at most
	lives      []int // lifetimes of SET; 0 is none
	ats        bool  // deadlines may be moments
	jumps      bool  // the clock may be set; it does not drift then
	plain      bool  // commands of batches read or write without looking
	lines      int   // of 100 operations, those that were sent with the one before
	marks      []MarkKind
}

// drawOptions draws what the models allow.
func (m mix) drawOptions(t *rapid.T) Options {
	drifts := []int64{0, 0, 100_000, 500_000}
	if m.jumps {
		drifts = drifts[:1]
	}
	return Options{
		Clock: Clock{
			Drift: rapid.SampledFrom(drifts).Draw(t, "drift"),
			Skew:  rapid.Int64Range(0, 2).Draw(t, "skew"),
		},
		Wipes:      rapid.Bool().Draw(t, "wipes"),
		LostWrites: rapid.Bool().Draw(t, "lost writes"),
	}
}

// An execution draws a history that really happened: a store steps through moments of
// true time, and clients see some of it.
type execution struct {
	mix
	t       *rapid.T
	options Options
	history *History

	store thing
	past  []thing
	now   int64
	end   int64 // of what the store holds
	ahead int64 // what its clock has jumped
	watch string

	line  int // that is open
	first *Operation
	place int
	cut   bool // nobody knows what became of the rest of the line
	works bool // and whether it took effect
}

func (m mix) execute(t *rapid.T, o Options) *History {
	e := &execution{mix: m, t: t, options: o, history: &History{}, end: Infinite}
	for i := range m.operations {
		e.now += int64(rapid.IntRange(0, m.pause).Draw(t, "pause"))
		if e.now > e.end || e.now == e.end && rapid.Bool().Draw(t, "over") {
			e.become(thing{})
		}
		if len(m.marks) == 0 || rapid.IntRange(0, 5).Draw(t, "mark") != 0 {
			e.operate(i)
			continue
		}
		e.mark(rapid.SampledFrom(m.marks).Draw(t, "what"))
	}
	return e.history
}

func (e *execution) become(next thing) {
	e.past = append(e.past, e.store)
	e.store, e.end = next, Infinite
}

func (e *execution) mark(kind MarkKind) {
	t := e.t
	mark := Mark{Kind: kind, From: e.before(t, e.now), To: e.after(t, e.now)}
	switch {
	case (kind == Wipe || kind == Loss) && e.options.Wipes && rapid.Bool().Draw(t, "wiped"):
		e.become(thing{})
	case kind == Failover && e.options.LostWrites:
		old := rapid.SampledFrom(append(slices.Clone(e.past), e.store)).Draw(t, "back to")
		if old.life == 0 && old.at == 0 { // what ends keeps its end, and needs none of its own
			e.store, e.end = old, Infinite
		}
		e.past = nil
	case kind == ClockJump:
		mark.By = int64(rapid.IntRange(-6, 6).Draw(t, "by"))
		e.ahead += mark.By
		if e.end != Infinite {
			e.end = max(0, e.end-mark.By)
		}
	}
	e.history.Marks = append(e.history.Marks, mark)
}

func (e *execution) operate(client int) {
	t := e.t
	op := e.operation(t, client)
	op.Call, op.Return = e.before(t, e.now), e.after(t, e.now)
	e.join(&op)
	op.Outcome = Outcome{Result: Lost}
	gone, works := rapid.IntRange(0, 99).Draw(t, "lost") < e.lost, true
	if gone {
		works = rapid.Bool().Draw(t, "took effect")
	}
	if e.cut {
		gone, works = true, works && e.works
	}
	if e.cut = gone; works {
		was := e.store
		e.store, op.Outcome = storeStep(e.store, &op)
		e.past = append(e.past, was)
		e.deadline()
	}
	e.works = works
	if gone {
		op.Outcome, op.Return = Outcome{Result: Lost}, Infinite
	}
	if op.Kind == Watch {
		e.watch = op.Old
	}
	e.history.Operations = append(e.history.Operations, op)
}

// join has the operation be sent with the one before it, or not.
func (e *execution) join(op *Operation) {
	if e.lines == 0 {
		return
	}
	if e.first != nil && rapid.IntRange(0, 99).Draw(e.t, "sent together") < e.lines {
		e.place++
		op.Client, op.Line, op.Place, op.Call = e.first.Client, e.line, e.place, e.first.Call
		return
	}
	e.line, e.place, e.cut = e.line+1, 0, false
	op.Line = e.line
	first := *op
	e.first = &first
}

// deadline draws the moment at which what was just set ends.
func (e *execution) deadline() {
	t, s := e.t, &e.store
	switch {
	case s.life < 0:
		s.life, s.end, s.base = -s.life, 1, e.ahead
		least, most := e.options.Clock.window(s.life)
		e.end = e.now + rapid.Int64Range(least, most).Draw(t, "lives for")
	case s.at < 0:
		s.at, s.end = -s.at, 1
		e.end = s.at - e.ahead + rapid.Int64Range(-e.options.Clock.Skew, e.options.Clock.Skew).Draw(t, "ends")
	case s.life == 0 && s.at == 0:
		e.end = Infinite
	}
}

func (m mix) before(t *rapid.T, now int64) int64 {
	return max(0, now-int64(rapid.IntRange(0, m.spread).Draw(t, "before")))
}

func (m mix) after(t *rapid.T, now int64) int64 {
	return now + int64(rapid.IntRange(0, m.spread).Draw(t, "after"))
}

// values are few, so that they meet.
var values = []string{"a", "b", "c"}

func (e *execution) operation(t *rapid.T, client int) Operation {
	op := Operation{Client: client, Key: "k", Kind: rapid.SampledFrom(e.kinds).Draw(t, "kind")}
	draw := func(what string) string { return rapid.SampledFrom(values).Draw(t, what) }
	switch op.Kind {
	case Set:
		op.Value, op.If = draw("value"), rapid.SampledFrom([]string{"", "", "", nxOption, xxOption, eqOption, neOption}).Draw(t, "if")
		e.lifetime(&op)
		if op.If == eqOption || op.If == neOption {
			op.Old = draw("old")
		}
	case GetEx:
		e.lifetime(&op)
	case SetNX, GetSet:
		op.Value = draw("value")
	case DelIfEq:
		op.Old = draw("old")
	case DelEx:
		op.If, op.Old = rapid.SampledFrom([]string{eqOption, neOption}).Draw(t, "if"), draw("old")
	case PExpire:
		op.Life = int64(rapid.IntRange(0, 9).Draw(t, "life"))
	case PExpireAt:
		op.At = e.now + 1 + int64(rapid.IntRange(-1, 9).Draw(t, "at"))
	case IncrBy, DecrBy:
		op.Delta = int64(rapid.IntRange(-1, 3).Draw(t, "delta"))
	case Watch:
		op.Value, op.Old = rapid.SampledFrom([]string{"a", "b", "a b"}).Draw(t, "members"), fmt.Sprintf("w%d", client)
	case Batch:
		op.Value, op.Old = e.batch(t), e.watch
		e.watch = ""
	}
	return op
}

// lifetime draws how long a value lives.
func (e *execution) lifetime(op *Operation) {
	op.Life = int64(rapid.SampledFrom(e.lives).Draw(e.t, "life"))
	if e.ats && op.Life == 0 && rapid.IntRange(0, 2).Draw(e.t, "until a moment") == 0 {
		op.At = e.now + 1 + int64(rapid.IntRange(-1, 9).Draw(e.t, "at"))
	}
	op.Keep = op.Life == 0 && op.At == 0 && rapid.IntRange(0, 4).Draw(e.t, "keep") == 0
}

// forms are commands on two members; the first of them do not look at what is there
// when they write.
var forms = []string{
	"mget a b", "mget a b", "mset a V b V", "set a V", "set b V", "get a", "get b",
	"msetnx a V b V", "del a b", "del b", "rename a b", "copy a b", "move b a",
}

const plainForms = 7

// batch draws commands.
func (e *execution) batch(t *rapid.T) string {
	var commands []string
	from := forms
	if e.plain {
		from = forms[:plainForms]
	}
	for range rapid.IntRange(1, 2).Draw(t, "commands") {
		form := rapid.SampledFrom(from).Draw(t, "command")
		for strings.Contains(form, "V") {
			form = strings.Replace(form, "V", rapid.SampledFrom(values).Draw(t, "value"), 1)
		}
		commands = append(commands, form)
	}
	return strings.Join(commands, ";")
}

// spoil changes one thing that a client saw, or when it saw it.
func spoil(t *rapid.T, h *History) {
	if len(h.Operations) == 0 {
		return
	}
	op := &h.Operations[rapid.IntRange(0, len(h.Operations)-1).Draw(t, "spoilt")]
	if op.lost() {
		return
	}
	if op.Kind == Batch {
		spoilBatch(t, op)
		return
	}
	switch rapid.IntRange(0, 3).Draw(t, "how") {
	case 0:
		op.Call += int64(rapid.IntRange(0, int(op.Return-op.Call)).Draw(t, "later"))
	case 1:
		op.Return = op.Call
	default:
		replies := []Outcome{replyNull, replyZero, replyOne, Replied("2"), Replied("3"), replyOK, Replied("a"), Replied("b"), Replied("c")}
		op.Outcome = rapid.SampledFrom(replies).Draw(t, "saw")
	}
}

// spoilBatch changes one reply of a batch.
func spoilBatch(t *rapid.T, op *Operation) {
	if op.Outcome.Result != Value || rapid.IntRange(0, 4).Draw(t, "none") == 0 {
		op.Outcome = Outcome{Result: Nothing}
		return
	}
	parts := strings.FieldsFunc(op.Outcome.Text, func(r rune) bool { return r == ';' || r == ',' })
	part := rapid.SampledFrom(parts).Draw(t, "part")
	other := rapid.SampledFrom([]string{"a", "b", "c", absent, "0", "1"}).Draw(t, "saw")
	op.Outcome.Text = strings.Replace(op.Outcome.Text, part, other, 1)
}
