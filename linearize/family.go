package linearize

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A family is several keys, its members, that are judged together: what commands
// do to all of them at one moment is only seen so. Operation.Key is the family's
// name.
//
// Operation.Value of a Batch is commands with semicolons between, each of words
// with blanks between, which take effect at one moment, as a transaction's do:
//
//	set M V        OK
//	mset M V ...   OK
//	msetnx M V ... 1, or 0 when one of the keys exists, and then nothing is done
//	get M          the value, or - for nothing
//	mget M ...     these, with commas between
//	del M ...      how many there were
//	rename M N     OK, or error when there is no M
//	copy M N       1, or 0 when there is no M, or there is an N
//	move M N       as copy, and M is removed
//
// The reply is theirs with semicolons between. If Operation.Old names a watch, the
// reply is nothing, and nothing was done, when a member that was watched changed
// since. Names and values consist of other characters.
//
// The text of a family's cell is its members, "a=1,b=2", then its watches,
// "|w:a,v:b!": sorted, where ! says that the member has changed.
type family struct {
	names, values []string // names are sorted
	watches       []watch  // sorted
}

type watch struct {
	name, member string
	changed      bool
}

// parseFamily reads the text of a cell.
func parseFamily(text string) (f family) {
	members, watches, _ := strings.Cut(text, "|")
	for pair := range split(members, ",") {
		name, value, _ := strings.Cut(pair, "=")
		f.names, f.values = append(f.names, name), append(f.values, value)
	}
	for w := range split(watches, ",") {
		name, member, _ := strings.Cut(w, ":")
		member, changed := strings.CutSuffix(member, "!")
		f.watches = append(f.watches, watch{name, member, changed})
	}
	return f
}

// split is strings.SplitSeq of which an empty text has no parts.
func split(text, by string) func(yield func(string) bool) {
	if text == "" {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(text, by)
}

// cell is the family as a model holds it.
func (f *family) cell() Cell {
	var text strings.Builder
	for i, name := range f.names {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteString(name + "=" + f.values[i])
	}
	for i, w := range f.watches {
		text.WriteByte("|,"[min(i, 1)])
		text.WriteString(w.name + ":" + w.member)
		if w.changed {
			text.WriteByte('!')
		}
	}
	return Cell{Present: text.Len() > 0, Text: text.String()}
}

// get gives the value of a member.
func (f *family) get(member string) (value string, is bool) {
	at, is := slices.BinarySearch(f.names, member)
	if is {
		value = f.values[at]
	}
	return value, is
}

// set writes a member.
func (f *family) set(member, value string) {
	at, is := slices.BinarySearch(f.names, member)
	if is {
		f.values[at] = value
	} else {
		f.names, f.values = slices.Insert(f.names, at, member), slices.Insert(f.values, at, value)
	}
	f.touch(member)
}

// remove removes a member and tells whether there was one.
func (f *family) remove(member string) bool {
	at, is := slices.BinarySearch(f.names, member)
	if is {
		f.names, f.values = slices.Delete(f.names, at, at+1), slices.Delete(f.values, at, at+1)
		f.touch(member)
	}
	return is
}

// touch tells those who watch a member.
func (f *family) touch(member string) {
	for i := range f.watches {
		w := &f.watches[i]
		w.changed = w.changed || w.member == member
	}
}

// familyStep is the meaning of families:
// https://redis.io/docs/latest/develop/using-commands/transactions/ and the
// commands of strings and keys.
func familyStep(c Cell, op *Operation) (Cell, Outcome) {
	f := parseFamily(c.Text)
	switch op.Kind {
	case Watch:
		for _, member := range strings.Fields(op.Value) {
			f.watches = append(f.watches, watch{op.Old, member, false})
		}
		slices.SortFunc(f.watches, func(a, b watch) int {
			return strings.Compare(a.name+":"+a.member, b.name+":"+b.member)
		})
		return f.cell(), replyOK
	case Batch:
		if op.Old != "" && !f.unwatch(op.Old) {
			return f.cell(), replyNull
		}
		var replies []string
		for command := range strings.SplitSeq(op.Value, ";") {
			words := strings.Fields(command)
			replies = append(replies, f.do(words[0], words[1:]))
		}
		return f.cell(), Replied(strings.Join(replies, ";"))
	}
	return c, Outcome{Result: Refused}
}

// unwatch ends a watch, and tells whether there was one and its members are what
// they were.
func (f *family) unwatch(name string) bool {
	is, same := false, true
	f.watches = slices.DeleteFunc(f.watches, func(w watch) bool {
		if w.name != name {
			return false
		}
		is, same = true, same && !w.changed
		return true
	})
	return is && same
}

// do does one command and tells its reply.
func (f *family) do(name string, args []string) string {
	switch name {
	case "get", "mget":
		var values []string
		for _, member := range args {
			value, is := f.get(member)
			if !is {
				value = absent
			}
			values = append(values, value)
		}
		return strings.Join(values, ",")
	case "msetnx":
		for i := 0; i < len(args); i += 2 {
			if _, is := f.get(args[i]); is {
				return "0"
			}
		}
		f.write(args)
		return "1"
	case "set", "mset":
		f.write(args)
		return "OK"
	case "del":
		removed := 0
		for _, member := range args {
			if f.remove(member) {
				removed++
			}
		}
		return strconv.Itoa(removed)
	}
	return f.shift(name, args[0], args[1])
}

// words are the commands of a batch and how many arguments each has: at least, at
// most, and in groups of how many.
var words = []struct {
	name              string
	least, most, each int
}{
	{"copy", 2, 2, 1},
	{"del", 1, 99, 1},
	{"get", 1, 1, 1},
	{"mget", 1, 99, 1},
	{"move", 2, 2, 1},
	{"mset", 2, 99, 2},
	{"msetnx", 2, 99, 2},
	{"rename", 2, 2, 1},
	{"set", 2, 2, 1},
}

// validBatch tells what is wrong with the commands of a batch.
func validBatch(text string) error {
	if i := strings.IndexAny(text, ",=|:!"); i >= 0 {
		return fmt.Errorf("batch %q: %q has a meaning of its own", text, text[i])
	}
	for command := range strings.SplitSeq(text, ";") {
		args := strings.Fields(command)
		right := false
		for _, w := range words {
			n := len(args) - 1
			right = right || n >= 0 && args[0] == w.name && n >= w.least && n <= w.most && n%w.each == 0
		}
		if !right {
			return fmt.Errorf("batch %q: there is no command %q", text, command)
		}
	}
	return nil
}

// absent is the value of a member that there is not, and failed the reply of a
// command that does not work without one.
const (
	absent = "-"
	failed = "error"
)

func (f *family) write(pairs []string) {
	for i := 0; i < len(pairs); i += 2 {
		f.set(pairs[i], pairs[i+1])
	}
}

// shift gives one member the value of another.
func (f *family) shift(name, from, to string) string {
	value, is := f.get(from)
	if name == "rename" {
		if !is {
			return failed
		}
		f.remove(from)
		f.set(to, value)
		return "OK"
	}
	if _, taken := f.get(to); !is || taken {
		return "0"
	}
	f.set(to, value)
	if name == "move" {
		f.remove(from)
	}
	return "1"
}

// seesSome is Model.sees of families.
func seesSome(op *Operation) (shows, something bool) {
	_, shown := familyTexts(op)
	return strings.Contains(op.Value, "get ") && op.Outcome.Result == Value, len(shown) > 0
}

// familyTexts is Model.texts of families.
func familyTexts(op *Operation) (written, shown []string) {
	if op.Kind != Batch {
		return nil, nil
	}
	replies := strings.Split(op.Outcome.Text, ";")
	i := 0
	for command := range strings.SplitSeq(op.Value, ";") {
		words := strings.Fields(command)
		switch words[0] {
		case "set", "mset", "msetnx":
			for n := 2; n < len(words); n += 2 {
				written = append(written, words[n])
			}
		case "get", "mget":
			if op.Outcome.Result == Value && i < len(replies) {
				shown = append(shown, slices.DeleteFunc(strings.Split(replies[i], ","), func(v string) bool { return v == absent })...)
			}
		}
		i++
	}
	return written, shown
}
