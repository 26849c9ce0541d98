package linearize

import (
	"slices"

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
	marks      []MarkKind
}

// drawOptions draws what the models allow.
func drawOptions(t *rapid.T) Options {
	return Options{
		Clock: Clock{
			Drift: rapid.SampledFrom([]int64{0, 0, 100_000, 500_000}).Draw(t, "drift"),
			Skew:  rapid.Int64Range(0, 2).Draw(t, "skew"),
		},
		Wipes:      rapid.Bool().Draw(t, "wipes"),
		LostWrites: rapid.Bool().Draw(t, "lost writes"),
	}
}

// execute draws a history that really happened: a store steps through moments
// of true time, and clients see some of it.
func (m mix) execute(t *rapid.T, o Options) *History {
	h := &History{}
	var store thing
	var past []thing
	var now int64
	end := Infinite // of what the store holds
	for i := range m.operations {
		now += int64(rapid.IntRange(0, m.pause).Draw(t, "pause"))
		if now > end || now == end && rapid.Bool().Draw(t, "over") {
			past = append(past, store)
			store, end = thing{}, Infinite
		}
		if len(m.marks) > 0 && rapid.IntRange(0, 5).Draw(t, "mark") == 0 {
			mark := Mark{Kind: rapid.SampledFrom(m.marks).Draw(t, "what"), From: m.before(t, now), To: m.after(t, now)}
			h.Marks = append(h.Marks, mark)
			switch {
			case mark.Kind == Wipe && o.Wipes && rapid.Bool().Draw(t, "wiped"):
				past = append(past, store)
				store, end = thing{}, Infinite
			case mark.Kind == Failover && o.LostWrites:
				old := rapid.SampledFrom(append(slices.Clone(past), store)).Draw(t, "back to")
				if old.life == 0 { // what ends keeps its end, and needs none of its own
					store, end = old, Infinite
				}
				past = nil
			}
			continue
		}
		op := m.operation(t, i)
		op.Call, op.Return = m.before(t, now), m.after(t, now)
		op.Outcome = Outcome{Result: Lost}
		gone := rapid.IntRange(0, 99).Draw(t, "lost") < m.lost
		if !gone || rapid.Bool().Draw(t, "took effect") {
			was := store
			store, op.Outcome = storeStep(store, &op)
			past = append(past, was)
			store, end = m.deadline(t, o, store, now, end)
		}
		if gone {
			op.Outcome, op.Return = Outcome{Result: Lost}, Infinite
		}
		h.Operations = append(h.Operations, op)
	}
	return h
}

// deadline draws the moment at which a lifetime that was just set ends.
func (m mix) deadline(t *rapid.T, o Options, store thing, now, end int64) (thing, int64) {
	switch {
	case store.life < 0:
		store.life, store.end = -store.life, 1
		least, most := o.Clock.window(store.life)
		return store, now + rapid.Int64Range(least, most).Draw(t, "lives for")
	case store.life == 0:
		return store, Infinite
	}
	return store, end
}

func (m mix) before(t *rapid.T, now int64) int64 {
	return max(0, now-int64(rapid.IntRange(0, m.spread).Draw(t, "before")))
}

func (m mix) after(t *rapid.T, now int64) int64 {
	return now + int64(rapid.IntRange(0, m.spread).Draw(t, "after"))
}

// values are few, so that they meet.
var values = []string{"a", "b", "c"}

func (m mix) operation(t *rapid.T, client int) Operation {
	op := Operation{Client: client, Key: "k", Kind: rapid.SampledFrom(m.kinds).Draw(t, "kind")}
	draw := func(what string) string { return rapid.SampledFrom(values).Draw(t, what) }
	switch op.Kind {
	case Set:
		op.Value, op.If = draw("value"), rapid.SampledFrom([]string{"", "", "", nxOption, xxOption, eqOption}).Draw(t, "if")
		op.Life = int64(rapid.SampledFrom(m.lives).Draw(t, "life"))
		op.Keep = op.Life == 0 && rapid.IntRange(0, 4).Draw(t, "keep") == 0
		if op.If == eqOption {
			op.Old = draw("old")
		}
	case SetNX, GetSet:
		op.Value = draw("value")
	case DelIfEq:
		op.Old = draw("old")
	case PExpire:
		op.Life = int64(rapid.IntRange(0, 9).Draw(t, "life"))
	case IncrBy, DecrBy:
		op.Delta = int64(rapid.IntRange(-1, 3).Draw(t, "delta"))
	}
	return op
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
