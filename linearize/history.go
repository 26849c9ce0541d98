package linearize

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Infinite is the return time of an operation whose outcome is unknown: it may
// take effect at any time after its call, or never.
const Infinite int64 = math.MaxInt64

// MaxTime bounds all times and lifetimes, in nanoseconds: about 36 years.
const MaxTime int64 = 1 << 60

// A Kind names what an operation does. Model.Kinds lists those of a model.
type Kind string

// The kinds that the models of this package cover. Replies are those of Redis,
// integers as decimal text.
const (
	Get       Kind = "get"       // the value, or nothing
	GetEx     Kind = "getex"     // Life, At or Keep, else the deadline is removed: the value, or nothing
	Set       Kind = "set"       // Value with If, Old, Life, At and Keep: OK, or nothing when the condition fails
	SetNX     Kind = "setnx"     // Value: 1, or 0 when the key exists
	GetSet    Kind = "getset"    // Value: the replaced value, or nothing
	GetDel    Kind = "getdel"    // the removed value, or nothing
	Del       Kind = "del"       // 1, or 0 when there is no key
	DelEx     Kind = "delex"     // If and Old: 1, or 0 when the condition fails or there is no key
	DelIfEq   Kind = "delifeq"   // Old: 1, or 0 when the key has another value or none
	PExpire   Kind = "pexpire"   // Life: 1, or 0 when there is no key; not above 0 removes the key
	PExpireAt Kind = "pexpireat" // At: 1, or 0 when there is no key
	Persist   Kind = "persist"   // 1, or 0 when there is no key or no deadline
	IncrBy    Kind = "incrby"    // Delta: the sum
	DecrBy    Kind = "decrby"    // Delta: the difference
	Batch     Kind = "batch"     // Value: commands on members that take effect as one, with Old if watched; see family.go
	Watch     Kind = "watch"     // Value: members, Old: a name for the watch: OK
	nxOption       = "nx"
	xxOption       = "xx"
	eqOption       = "eq"
	neOption       = "ne"
)

// A Result is the sort of an outcome.
type Result string

// The results.
const (
	Value   Result = "value"   // the reply is Outcome.Text
	Nothing Result = "nothing" // the null reply
	Refused Result = "error"   // an error that had no effect; Outcome.Text may hold it
	Lost    Result = "unknown" // timed out or cut off: it may or may not have taken effect
)

var results = []Result{Value, Nothing, Refused, Lost}

// An Outcome is what a client learnt from an operation.
type Outcome struct {
	Result Result
	Text   string // the reply, of Value and Refused alone
}

// Replied is the outcome of an operation that was answered with text.
func Replied(text string) Outcome { return Outcome{Value, text} }

// An Operation is one request of a client, on one key.
type Operation struct {
	Client  int
	Key     string
	Kind    Kind
	Value   string // what is written
	If      string // condition: empty, "nx", "xx", "eq" for "if the value equals Old", or "ne" for "unless it does"
	Old     string // the value that a condition compares with, or the name of a watch
	Delta   int64  // of counters
	Life    int64  // lifetime in nanoseconds; 0 is none, except for PExpire
	At      int64  // deadline: the true time in nanoseconds that the node's civil clock is to show; 0 is none
	Keep    bool   // Set and GetEx keep the deadline that the key has
	Line    int    // above 0: operations of a client with one Line were sent together, and take effect in the order of Place
	Place   int    // within the Line
	Call    int64  // true time in nanoseconds, 0 <= Call <= Return
	Return  int64  // Infinite if and only if the outcome is Lost
	Outcome Outcome
}

// A Mark is something that happened beside the operations, within [From, To].
// The table of marks says what the kinds mean.
type Mark struct {
	Kind     MarkKind
	Node     string   // where, for the reader of a picture
	Text     string   // more, for the reader of a picture
	By       int64    // of ClockJump, in nanoseconds
	Keys     []string // whom it concerns; none means every key
	From, To int64    // true time in nanoseconds, 0 <= From <= To
}

// A History is what clients did and saw, in any order.
type History struct {
	Operations []Operation
	Marks      []Mark
}

// Keys lists the keys that operations are about, sorted.
func (h *History) Keys() []string {
	var keys []string
	for i := range h.Operations {
		keys = append(keys, h.Operations[i].Key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// byKey are the operations about each key, in the order of the history.
func (h *History) byKey() map[string][]*Operation {
	byKey := map[string][]*Operation{}
	for i := range h.Operations {
		op := &h.Operations[i]
		byKey[op.Key] = append(byKey[op.Key], op)
	}
	return byKey
}

// Validate tells the first operation or mark that contradicts itself.
func (h *History) Validate() error {
	for i := range h.Operations {
		if err := h.Operations[i].Validate(); err != nil {
			return fmt.Errorf("linearize: operation %d: %w", i, err)
		}
	}
	var jumps int64
	for i := range h.Marks {
		m := &h.Marks[i]
		if err := m.Validate(); err != nil {
			return fmt.Errorf("linearize: mark %d: %w", i, err)
		}
		if jumps += max(m.By, -m.By); jumps > MaxTime {
			return fmt.Errorf("linearize: mark %d: clocks jump too far", i)
		}
	}
	return h.validateLines()
}

// validateLines tells the first operation that was answered behind one of its line
// whose outcome is unknown.
func (h *History) validateLines() error {
	type line struct{ client, line int }
	lost := map[line]int{} // the first place that is unknown
	for i := range h.Operations {
		op := &h.Operations[i]
		l := line{op.Client, op.Line}
		if first, any := lost[l]; op.Line > 0 && op.lost() && (!any || op.Place < first) {
			lost[l] = op.Place
		}
	}
	for i := range h.Operations {
		op := &h.Operations[i]
		if first, any := lost[line{op.Client, op.Line}]; any && !op.lost() && op.Place > first {
			return fmt.Errorf("linearize: operation %d was answered behind one of its line that was not", i)
		}
	}
	return nil
}

// Validate tells whether the operation contradicts itself. It does not know
// kinds: those that no model covers are the business of Check.
func (o *Operation) Validate() error {
	switch {
	case o.Kind == "":
		return errors.New("an operation without a kind")
	case !slices.Contains([]string{"", nxOption, xxOption, eqOption, neOption}, o.If):
		return fmt.Errorf("condition %q is none of nx, xx, eq, ne", o.If)
	case o.Life < 0 && o.Kind != PExpire || o.Life < -MaxTime || o.Life > MaxTime:
		return fmt.Errorf("lifetime %d ns is out of range", o.Life)
	case o.At < 0 || o.At > MaxTime:
		return fmt.Errorf("deadline %d ns is out of range", o.At)
	case o.Keep && (o.Life != 0 || o.At != 0), o.Life != 0 && o.At != 0:
		return errors.New("a deadline is set twice, or both kept and set")
	case o.Kind == Batch && validBatch(o.Value) != nil:
		return validBatch(o.Value)
	case (o.Kind == Batch || o.Kind == Watch) && strings.ContainsAny(o.Old, ",=|:! "):
		return fmt.Errorf("watch %q has a name that no watch can have", o.Old)
	case o.Line < 0 || o.Place < 0:
		return fmt.Errorf("line %d, place %d is out of range", o.Line, o.Place)
	case !slices.Contains(results, o.Outcome.Result):
		return fmt.Errorf("outcome %q is none of value, nothing, error, unknown", o.Outcome.Result)
	case (o.Outcome.Result == Nothing || o.Outcome.Result == Lost) && o.Outcome.Text != "":
		return fmt.Errorf("outcome %q has a reply", o.Outcome.Result)
	case o.Outcome.Result == Lost && o.Return != Infinite:
		return errors.New("the outcome is unknown, and yet there is a return time")
	case o.Outcome.Result == Lost:
		return validInterval(o.Call, o.Call)
	}
	return validInterval(o.Call, o.Return)
}

// Validate tells whether the mark contradicts itself.
func (m *Mark) Validate() error {
	if m.Kind == "" {
		return errors.New("a mark without a kind")
	}
	if m.By < -MaxTime || m.By > MaxTime {
		return fmt.Errorf("jump of %d ns is out of range", m.By)
	}
	return validInterval(m.From, m.To)
}

// concerns tells whether the mark is about a key.
func (m *Mark) concerns(key string) bool { return len(m.Keys) == 0 || slices.Contains(m.Keys, key) }

func validInterval(from, to int64) error {
	if from < 0 || to < from || to > MaxTime {
		return fmt.Errorf("interval [%d, %d] ns is backwards or out of range", from, to)
	}
	return nil
}

// lost tells whether nobody knows what became of the operation.
func (o *Operation) lost() bool { return o.Outcome.Result == Lost }
