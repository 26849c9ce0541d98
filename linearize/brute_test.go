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
}

// A bound says that variable to is at most by later than variable from.
type bound struct {
	from, to int
	by       int64
}

type world struct {
	now    int // variable of the latest moment
	thing  thing
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
		if !used[j] && other.ret < b.events[i].call {
			return true
		}
	}
	return false
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
		return b.marked(w, e.mark.kind)
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

func (b *bruteForce) marked(w world, kind MarkKind) []world {
	after := []world{w}
	if kind == Wipe {
		empty := w
		empty.become(thing{})
		return append(after, empty)
	}
	after[0].past = nil
	for _, old := range w.past {
		back := w
		back.bounds, back.past = slices.Clone(w.bounds), nil
		if old.end != 0 { // another clock decides about its end
			old.end = b.ending(&back, old.set, old.life)
		}
		back.thing = old
		after = append(after, back)
	}
	return after
}

// operate applies an operation; there is one world after it, or none if the
// reply is another one.
func (b *bruteForce) operate(w world, op *Operation) []world {
	next, reply := storeStep(w.thing, op)
	if op.Outcome.Result != Lost && op.Outcome != reply {
		return nil
	}
	if next.life < 0 { // a new deadline
		next.life = -next.life
		next.set = w.now
		next.end = b.ending(&w, w.now, next.life)
	}
	w.become(next)
	return []world{w}
}

// ending makes the moment at which a lifetime set at a moment ends.
func (b *bruteForce) ending(w *world, set int, life int64) int {
	least := max(0, life-b.options.Clock.Skew) * million / (million + b.options.Clock.Drift)
	most := ((life+b.options.Clock.Skew)*million + million - b.options.Clock.Drift - 1) / (million - b.options.Clock.Drift)
	end := w.fresh()
	w.bounds = append(w.bounds, bound{set, end, most}, bound{end, set, -least})
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

// storeStep is the store. A new deadline is a negative life.
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
	case DelIfEq:
		if equal {
			return thing{}, told(true)
		}
		return was, told(false)
	case Set:
		if op.If == "nx" && was.there || op.If == "xx" && !was.there || op.If == "eq" && !equal {
			return was, Outcome{Result: Nothing}
		}
		fresh.life = -op.Life
		if op.Keep {
			fresh.end, fresh.set, fresh.life = was.end, was.set, was.life
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
			was.life, was.end = -op.Life, 0
		}
		return was, told(was.there)
	case Persist:
		had := was.end != 0
		was.end, was.set, was.life = 0, 0, 0
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
