package differ

import (
	"slices"
	"strconv"
)

// rules say how replies are compared that two runs of one server do not share;
// every other row's replies must be equal byte for byte.
var rules = map[string]func(args []string, a, b Reply) bool{
	"client|help":         sameKind,
	"client|id":           sameShape,
	"client|info":         sameShape,
	"client|list":         sameShape,
	"command":             sameKind,
	"command|count":       sameShape,
	"command|docs":        sameKind,
	"command|help":        sameKind,
	"command|list":        sameKind,
	"command|info":        sameCommand,
	"config|get":          samePairs,
	"config|help":         sameKind,
	"debug":               sameDebug,
	"expiretime":          near(2),
	"hello":               sameHello,
	"info":                sameShape,
	"keys":                sameSet,
	"latency|doctor":      sameShape,
	"latency|help":        sameKind,
	"latency|histogram":   sameKind,
	"latency|history":     sameKind,
	"latency|latest":      sameKind,
	"latency|reset":       sameShape,
	"lolwut":              sameShape,
	"memory|doctor":       sameShape,
	"memory|help":         sameKind,
	"memory|malloc-stats": sameShape,
	"memory|stats":        sameKind,
	"memory|usage":        sameShape,
	"module|help":         sameKind,
	"object|help":         sameKind,
	"object|idletime":     near(2),
	"pexpiretime":         near(2000),
	"pttl":                near(2000),
	"randomkey":           sameShape,
	"slowlog|get":         sameKind,
	"slowlog|help":        sameKind,
	"slowlog|len":         sameShape,
	"time":                sameShape,
	"ttl":                 near(2),
}

// Same says whether two replies to a command are as equal as they can be.
func Same(args []string, a, b Reply) bool {
	if rule := rules[RowName(args)]; rule != nil {
		return rule(args, a, b)
	}
	return same(args, a, b)
}

func same(_ []string, a, b Reply) bool { return a.equal(b) }

func (r Reply) equal(other Reply) bool {
	return r.Kind == other.Kind && r.Null == other.Null && r.Text == other.Text &&
		slices.EqualFunc(r.Items, other.Items, Reply.equal) && slices.EqualFunc(r.Attrs, other.Attrs, Reply.equal)
}

// sameShape wants equal types and lengths, and equal errors.
func sameShape(_ []string, a, b Reply) bool {
	if a.IsError() {
		return a.equal(b)
	}
	return a.Shape(false) == b.Shape(false)
}

// sameKind wants the same type of reply, and equal errors.
func sameKind(_ []string, a, b Reply) bool {
	if a.IsError() {
		return a.equal(b)
	}
	return a.Kind == b.Kind && a.Null == b.Null
}

func sameSet(_ []string, a, b Reply) bool { return a.Sorted(1, false).equal(b.Sorted(1, false)) }

// sameCommand compares the head of each command's description: name, arity,
// flags, keys and categories. Tips, notes and subcommands grow with releases, and
// flags come in the order of a hash.
func sameCommand(args []string, a, b Reply) bool {
	if len(args) == 2 {
		return sameKind(args, a, b)
	}
	return slices.EqualFunc(a.Items, b.Items, func(x, y Reply) bool {
		return x.cut(commandHead).Sorted(1, true).equal(y.cut(commandHead).Sorted(1, true))
	}) && a.Kind == b.Kind
}

// commandHead is the number of elements that every release has had.
const commandHead = 7

// cut is the reply with at most n elements.
func (r Reply) cut(n int) Reply {
	r.Items = r.Items[:min(n, len(r.Items))]
	return r
}

// samePairs leaves the order of names with their values open. Asked for
// everything, two servers need not have the same.
func samePairs(args []string, a, b Reply) bool {
	if slices.Contains(args, "*") {
		return sameKind(args, a, b)
	}
	return a.Sorted(2, false).equal(b.Sorted(2, false))
}

// near wants integers that differ by at most n, where both are times: two
// servers do not run a command in the same millisecond.
func near(n int64) func([]string, Reply, Reply) bool {
	return func(_ []string, a, b Reply) bool {
		left, errLeft := strconv.ParseInt(a.Text, 10, 64)
		right, errRight := strconv.ParseInt(b.Text, 10, 64)
		if a.Kind != ':' || b.Kind != ':' || errLeft != nil || errRight != nil || left < 0 || right < 0 {
			return a.equal(b)
		}
		return max(left-right, right-left) <= n
	}
}

// sameHello leaves out the version and the connection's id.
func sameHello(_ []string, a, b Reply) bool {
	return without(a, "version", "id", "server").equal(without(b, "version", "id", "server"))
}

func without(r Reply, names ...string) Reply {
	r.Items = slices.Clone(r.Items)
	for i := 0; i+1 < len(r.Items); i += 2 {
		if slices.Contains(names, r.Items[i].Text) {
			r.Items[i+1] = Reply{}
		}
	}
	return r
}

// sameDebug is exact but for DEBUG OBJECT, which prints addresses.
func sameDebug(args []string, a, b Reply) bool {
	if len(args) > 1 && args[1] == "object" {
		return sameShape(args, a, b)
	}
	return a.equal(b)
}
