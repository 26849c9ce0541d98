package linearize

import (
	"math/big"
	"slices"
)

// The checker here shares no code with the one under test: it tries every order
// of every choice of unknown operations, keeps all moments as variables, and
// solves their differences by relaxation. Its store is written anew as well.

// A thing is what its store holds.
type thing struct {
	there bool
	text  string
	end   int // variable of the moment when it ends, 0 for never
	set   int // variable of the moment when that was decided
	life  int64
	at    int64 // what the clock shows when it ends, instead of life
	base  int64 // what the clock had jumped by then

	members map[string]string // of a family; never changed
	watches map[string]string // by name and member: "" or "changed"; never changed
}

// A bound says that variable to is at most by later than variable from.
type bound struct {
	from, to int
	by       int64
}

type world struct {
	now    int // variable of the latest moment
	thing  thing
	ahead  int64 // what the clock has jumped
	past   []thing
	bounds []bound
	vars   int // 0 is the beginning of time
}

type bruteForce struct {
	events  []*event
	options Options
}

// explained tells whether any order explains the events.
func explained(p *problem, o Options) bool {
	b := &bruteForce{slices.Concat(p.events, p.machine.lost), o}
	return b.place(make([]bool, len(b.events)), world{vars: 1})
}

// place goes on from a world in which the used events have happened.
func (b *bruteForce) place(used []bool, w world) bool {
	if !w.possible() {
		return false
	}
	finished := true
	for i, e := range b.events {
		if used[i] {
			continue
		}
		finished = finished && e.ret == Infinite // what is unknown need not happen
		if b.mustWait(i, used) {
			continue
		}
		used[i] = true
		for _, next := range b.happen(w, e) {
			if b.place(used, next) {
				used[i] = false
				return true
			}
		}
		used[i] = false
	}
	return finished
}

func (b *bruteForce) mustWait(i int, used []bool) bool {
	for j, other := range b.events {
		if !used[j] && (other.ret < b.events[i].call || behind(b.events[i].op, other.op)) {
			return true
		}
	}
	return false
}

// behind tells whether an operation was sent after another, with it.
func behind(op, other *Operation) bool {
	return op != nil && other != nil && op.Line > 0 && op.Line == other.Line && op.Client == other.Client && op.Place > other.Place
}

// happen lists the worlds after an event at a moment of its interval.
func (b *bruteForce) happen(w world, e *event) (after []world) {
	w.bounds = slices.Clone(w.bounds)
	moment := w.fresh()
	w.bounds = append(w.bounds, bound{moment, w.now, 0}, bound{moment, 0, -e.call})
	if e.ret != Infinite {
		w.bounds = append(w.bounds, bound{0, moment, e.ret})
	}
	w.now = moment
	if e.mark != nil {
		return b.marked(w, e.mark.kind, e.by)
	}
	if w.thing.end == 0 {
		return b.operate(w, e.op)
	}
	alive, gone := w, w
	alive.bounds = append(slices.Clone(w.bounds), bound{w.thing.end, moment, 0})
	gone.bounds = append(slices.Clone(w.bounds), bound{moment, w.thing.end, 0})
	gone.become(thing{})
	return append(b.operate(alive, e.op), b.operate(gone, e.op)...)
}

func (b *bruteForce) marked(w world, kind MarkKind, by int64) []world {
	after := []world{w}
	if kind == ClockJump {
		return b.jumped(w, by)
	}
	if kind == Wipe || kind == Loss {
		empty := w
		empty.become(thing{})
		return append(after, empty)
	}
	after[0].past = nil
	for _, old := range w.past {
		back := w
		back.bounds, back.past = slices.Clone(w.bounds), nil
		if old.end != 0 { // another clock decides about its end
			old.end = b.ending(&back, old)
		}
		back.thing = old
		after = append(after, back)
	}
	return after
}

// jumped has the end of what is held move. When the clock goes back, it may have
// ended before.
func (b *bruteForce) jumped(w world, by int64) (after []world) {
	if gone := w; w.thing.end != 0 && by < 0 {
		gone.bounds = append(slices.Clone(w.bounds), bound{w.now, w.thing.end, 0})
		gone.become(thing{})
		gone.ahead += by
		after = append(after, gone)
	}
	w.ahead += by
	if w.thing.end != 0 {
		w.bounds = slices.Clone(w.bounds)
		w.thing.end = b.ending(&w, w.thing)
	}
	return append(after, w)
}

// operate applies an operation; there is one world after it, or none if the
// reply is another one.
func (b *bruteForce) operate(w world, op *Operation) []world {
	next, reply := storeStep(w.thing, op)
	if op.Outcome.Result != Lost && op.Outcome != reply {
		return nil
	}
	if next.life < 0 || next.at < 0 { // a new deadline
		next.life, next.at = max(next.life, -next.life), max(next.at, -next.at)
		next.set, next.base = w.now, w.ahead
		next.end = b.ending(&w, next)
	}
	w.become(next)
	return []world{w}
}

// ending makes the moment at which a thing ends.
func (b *bruteForce) ending(w *world, t thing) int {
	end, skew := w.fresh(), b.options.Clock.Skew
	if t.at > 0 {
		w.bounds = append(w.bounds, bound{0, end, t.at + skew - w.ahead}, bound{end, 0, w.ahead + skew - t.at})
		return end
	}
	life := t.life - (w.ahead - t.base)
	least := max(0, life-skew) * million / (million + b.options.Clock.Drift)
	most := ((life+skew)*million + million - b.options.Clock.Drift - 1) / (million - b.options.Clock.Drift)
	if life+skew < 0 { // it was over when it was set
		least, most = -1, -1
	}
	w.bounds = append(w.bounds, bound{t.set, end, most}, bound{end, t.set, -least})
	return end
}

func (w *world) fresh() int {
	w.vars++
	return w.vars - 1
}

func (w *world) become(next thing) {
	w.past = append(slices.Clone(w.past), w.thing)
	w.thing = next
}

// possible tells whether all bounds can hold: relaxation finds no cycle below 0.
func (w *world) possible() bool {
	at := make([]int64, w.vars)
	for range w.vars + 1 {
		changed := false
		for _, b := range w.bounds {
			if at[b.from]+b.by < at[b.to] {
				at[b.to] = at[b.from] + b.by
				changed = true
			}
		}
		if !changed {
			return true
		}
	}
	return false
}

// storeStep is the store. A new deadline is a negative life, or a negative at.
func storeStep(was thing, op *Operation) (thing, Outcome) {
	told := func(did bool) Outcome { return Replied(map[bool]string{true: "1", false: "0"}[did]) }
	found := Outcome{Result: Nothing}
	if was.there {
		found = Replied(was.text)
	}
	fresh := thing{there: true, text: op.Value}
	equal := was.there && was.text == op.Old
	switch op.Kind {
	case Get:
		return was, found
	case GetEx:
		if was.there && !op.Keep {
			was.end, was.set, was.life, was.at = 0, 0, -op.Life, -op.At
		}
		return was, found
	case Batch, Watch:
		return familyOf(was, op)
	case GetSet:
		return fresh, found
	case GetDel:
		return thing{}, found
	case Del:
		return thing{}, told(was.there)
	case SetNX:
		if was.there {
			return was, told(false)
		}
		return fresh, told(true)
	case DelIfEq, DelEx:
		if was.there && equal == (op.If != "ne") {
			return thing{}, told(true)
		}
		return was, told(false)
	case Set:
		if op.If == "nx" && was.there || op.If == "xx" && !was.there || op.If == "eq" && !equal || op.If == "ne" && equal {
			return was, Outcome{Result: Nothing}
		}
		fresh.life, fresh.at = -op.Life, -op.At
		if op.Keep {
			fresh.end, fresh.set, fresh.life, fresh.at, fresh.base = was.end, was.set, was.life, was.at, was.base
		}
		return fresh, Replied("OK")
	}
	return storeStepMore(was, op, told)
}

func storeStepMore(was thing, op *Operation, told func(bool) Outcome) (thing, Outcome) {
	switch op.Kind {
	case PExpire:
		if was.there && op.Life <= 0 {
			return thing{}, told(true)
		}
		if was.there {
			was.life, was.at, was.end = -op.Life, 0, 0
		}
		return was, told(was.there)
	case PExpireAt:
		if was.there {
			was.life, was.at, was.end = 0, -op.At, 0
		}
		return was, told(was.there)
	case Persist:
		had := was.end != 0
		was.end, was.set, was.life, was.at = 0, 0, 0, 0
		return was, told(had)
	}
	held := new(big.Int) // 0 if the text is no number
	if was.there {
		held.SetString(was.text, 10)
	}
	delta := big.NewInt(op.Delta)
	if op.Kind == DecrBy {
		delta.Neg(delta)
	}
	sum := held.Add(held, delta)
	if !sum.IsInt64() {
		return was, Outcome{Result: Refused}
	}
	was.there, was.text = true, sum.String()
	return was, Replied(was.text)
}

func pointers(h *History) (ops []*Operation) {
	for i := range h.Operations {
		ops = append(ops, &h.Operations[i])
	}
	return ops
}
