package workload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/elares/ironcache/chaos/wire"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim"
)

// An ask is one thing that a client asks for: an operation, and the requests that
// it is made of, which are sent together.
type ask struct {
	op    linearize.Operation // without a kind: none that a history has
	key   *key                // nil if the operation has none
	route string              // a key as the node knows it: who owns its slot answers
	reads bool                // it changes nothing: when it is lost, nothing is remembered
	sends [][]string
	// tell says what the answers mean, and what is odd about them. An error is
	// Refused, and then nothing was done.
	tell func(answers []wire.Value) (o linearize.Outcome, odd string)

	asking  bool // ASKING goes before each of its requests
	answers []wire.Value
	left    bool // it was turned away
	to      int  // to this node and one, counted from 1; 0: to none
}

// A job is what a client does in one go, on one connection if it can.
type job struct {
	asks []*ask // sent together
	// then gives what is asked for on the same connection once all is answered;
	// nil: nothing.
	then func() []*ask
}

// single is an ask for an operation on one value.
func single(k *key, op linearize.Operation) *ask { return singleOf(k, op, k.name(), k.name()) }

// singleOf is one on a key with a name for the history and another for the node.
func singleOf(k *key, op linearize.Operation, told, name string) *ask {
	k.asked++
	op.Key = told
	a := &ask{op: op, key: k, route: name, reads: op.Kind == linearize.Get, sends: [][]string{words(&op, name)}}
	a.tell = func(answers []wire.Value) (linearize.Outcome, string) { return tellSingle(a.op.Kind, answers[0]) }
	return a
}

// transaction tells whether the ask is one. ASKING cannot go into it: what was sent
// to ask elsewhere is asked for again later.
func (a *ask) transaction() bool { return a.sends[0][0] == "multi" }

// tellSingle says what the answer to an operation on one value means.
func tellSingle(kind linearize.Kind, a wire.Value) (o linearize.Outcome, odd string) {
	if a.Failed() {
		return linearize.Outcome{Result: linearize.Refused, Text: a.Text}, ""
	}
	if !strings.ContainsRune(formOf(kind), rune(a.Kind)) {
		odd = fmt.Sprintf("the reply to another request: %v", a)
	}
	if a.Null() {
		return linearize.Outcome{Result: linearize.Nothing}, odd
	}
	name, whole := named(a.Text)
	if !whole {
		odd = fmt.Sprintf("a value that nobody wrote as it is: %.80q, %d bytes", a.Text, len(a.Text))
	}
	return linearize.Replied(name), odd
}

// formOf is the first bytes of replies to a kind of operation.
func formOf(kind linearize.Kind) string {
	switch kind {
	case linearize.Get, linearize.GetEx, linearize.GetSet, linearize.GetDel:
		return "$_"
	case linearize.Set:
		return "+_"
	}
	return ":"
}

// echo is an ask for a text that only it has: the answers around it must be those
// to the asks around it.
func echo(text string) *ask {
	return &ask{reads: true, sends: [][]string{{"echo", text}}, tell: func(answers []wire.Value) (o linearize.Outcome, odd string) {
		if a := answers[0]; a.Kind != '$' || a.Text != text {
			odd = fmt.Sprintf("the reply to another request: %v", a)
		}
		return linearize.Outcome{}, odd
	}}
}

// within has the requests of an ask run in a database.
func (a *ask) within(db int) *ask {
	a.sends = slices.Insert(a.sends, 0, []string{"select", fmt.Sprint(db)})
	tell := a.tell
	a.tell = func(answers []wire.Value) (linearize.Outcome, string) {
		if chosen := answers[0]; chosen.Text != "OK" {
			return linearize.Outcome{Result: linearize.Refused, Text: chosen.Text}, ""
		}
		return tell(answers[1:])
	}
	return a
}

// words are a request for an operation on a key.
func words(op *linearize.Operation, key string) []string {
	list := []string{string(op.Kind), key}
	switch op.Kind {
	case linearize.Set:
		list = append(list, inFull(op.Value))
	case linearize.SetNX, linearize.GetSet:
		return append(list, inFull(op.Value))
	case linearize.DelIfEq:
		return append(list, inFull(op.Old))
	case linearize.PExpire:
		return append(list, millis(op.Life))
	case linearize.PExpireAt:
		return append(list, millis(sim.Epoch+op.At))
	case linearize.IncrBy, linearize.DecrBy:
		return append(list, fmt.Sprint(op.Delta))
	}
	switch op.If {
	case "nx", "xx":
		list = append(list, strings.ToUpper(op.If))
	case "eq", "ne":
		list = append(list, "IF"+strings.ToUpper(op.If), inFull(op.Old))
	}
	return append(list, lifeWords(op)...)
}

// lifeWords are the options of SET and GETEX about deadlines.
func lifeWords(op *linearize.Operation) []string {
	const second = 1000 * million
	gets := op.Kind == linearize.GetEx
	switch {
	case op.Life > 0:
		return []string{"PX", millis(op.Life)}
	case op.At > 0 && op.At%second == 0:
		return []string{"EXAT", fmt.Sprint((sim.Epoch + op.At) / second)}
	case op.At > 0:
		return []string{"PXAT", millis(sim.Epoch + op.At)}
	case op.Keep && !gets:
		return []string{"KEEPTTL"}
	case !op.Keep && gets:
		return []string{"PERSIST"}
	}
	return nil
}

func millis(nanoseconds int64) string { return fmt.Sprint(nanoseconds / million) }
