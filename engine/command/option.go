package command

import (
	"math"

	"github.com/elares/ironcache/engine/resp"
)

// option is a set of the options that SET, GETEX and MSETEX share.
type option uint16

const (
	optNX option = 1 << iota
	optXX
	optIfEq
	optIfNe
	optIfDigestEq
	optIfDigestNe
	optGet
	optKeepTTL
	optPersist
	optEX
	optPX
	optEXAT
	optPXAT

	optIfValue    = optIfEq | optIfNe | optIfDigestEq | optIfDigestNe
	optConditions = optNX | optXX | optIfValue
	optDeadlines  = optEX | optPX | optEXAT | optPXAT
	optExpiries   = optDeadlines | optKeepTTL | optPersist

	optRelative = optEX | optPX   // from now on, rather than a Unix time
	optSeconds  = optEX | optEXAT // rather than milliseconds
)

// optionWord is the word of an option. Of one group a request may use one
// option, that one as often as it likes; the last counts.
type optionWord struct {
	word  string
	sets  option
	group option
	value bool // an argument follows
}

var optionWords = []optionWord{
	{"ex", optEX, optExpiries, true},
	{"px", optPX, optExpiries, true},
	{"nx", optNX, optConditions, false},
	{"xx", optXX, optConditions, false},
	{"get", optGet, 0, false},
	{"exat", optEXAT, optExpiries, true},
	{"pxat", optPXAT, optExpiries, true},
	{"keepttl", optKeepTTL, optExpiries, false},
	{"persist", optPersist, optExpiries, false},
	{"ifeq", optIfEq, optConditions, true},
	{"ifne", optIfNe, optConditions, true},
	{"ifdeq", optIfDigestEq, optConditions, true},
	{"ifdne", optIfDigestNe, optConditions, true},
}

// findOption finds the option among some that an argument names, nil if none.
func findOption(arg []byte, among option) *optionWord {
	for i := range optionWords {
		if w := &optionWords[i]; w.sets&among != 0 && fold(arg, w.word) {
			return w
		}
	}
	return nil
}

// options are those that a request uses.
type options struct {
	has  option
	when int // argument with the expiry, if has any of optDeadlines
	want int // argument with the value or digest, if has any of optIfValue
}

// options reads the arguments from the given one to the last as options out of
// those allowed.
func (c *Call) options(from int, allowed option) (options, error) {
	var o options
	for i := from; i < c.Argc(); i++ {
		next, ok := o.add(c, i, allowed)
		if !ok {
			return o, resp.ErrSyntax
		}
		i = next
	}
	return o, nil
}

// add reads the option at argument i and gives the last argument that is part
// of it.
func (o *options) add(c *Call, i int, allowed option) (int, bool) {
	word := findOption(c.Arg(i), allowed)
	if word == nil || o.has&word.group&^word.sets != 0 || word.value && i+1 == c.Argc() {
		return i, false
	}
	o.has |= word.sets
	if !word.value {
		return i, true
	}
	if word.sets&optDeadlines != 0 {
		o.when = i + 1
	} else {
		o.want = i + 1
	}
	return i + 1, true
}

// deadline is the expiry that the options ask for, Unix milliseconds; 0 if
// none.
func (c *Call) deadline(o options) (int64, error) {
	if o.has&optDeadlines == 0 {
		return 0, nil
	}
	return c.deadlineAt(o.when, o.has)
}

// deadlineAt reads argument i as an expiry, which must be after 1970.
func (c *Call) deadlineAt(i int, unit option) (int64, error) {
	n, err := c.int(i)
	if err != nil {
		return 0, err
	}
	if n <= 0 || unit&optSeconds != 0 && n > math.MaxInt64/1000 {
		return 0, resp.InvalidExpire(c.Row().Name)
	}
	if unit&optSeconds != 0 {
		n *= 1000
	}
	if unit&optRelative != 0 {
		n += c.Now
	}
	if n <= 0 { // the sum wrapped around
		return 0, resp.InvalidExpire(c.Row().Name)
	}
	return n, nil
}
