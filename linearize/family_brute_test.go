package linearize

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// familyOf is the store of families, written anew: maps instead of texts.
func familyOf(was thing, op *Operation) (thing, Outcome) {
	now := thing{members: maps.Clone(was.members), watches: maps.Clone(was.watches)}
	if now.members == nil {
		now.members, now.watches = map[string]string{}, map[string]string{}
	}
	said := replyOK
	if op.Kind == Watch {
		for _, member := range strings.Fields(op.Value) {
			now.watches[op.Old+" "+member] = ""
		}
	} else {
		said = now.batch(op)
	}
	now.there = len(now.members)+len(now.watches) > 0
	return now, said
}

func (t *thing) batch(op *Operation) Outcome {
	if op.Old != "" {
		seen, fine := 0, true
		for _, name := range slices.Collect(maps.Keys(t.watches)) {
			if strings.HasPrefix(name, op.Old+" ") {
				seen++
				fine = fine && t.watches[name] == ""
				delete(t.watches, name)
			}
		}
		if seen == 0 || !fine {
			return Outcome{Result: Nothing}
		}
	}
	var said []string
	for _, command := range strings.Split(op.Value, ";") {
		said = append(said, t.command(strings.Fields(command)))
	}
	return Replied(strings.Join(said, ";"))
}

func (t *thing) put(member, value string) {
	t.members[member] = value
	t.stir(member)
}

func (t *thing) drop(member string) {
	if _, is := t.members[member]; is {
		delete(t.members, member)
		t.stir(member)
	}
}

func (t *thing) stir(member string) {
	for name := range t.watches {
		if strings.HasSuffix(name, " "+member) {
			t.watches[name] = "changed"
		}
	}
}

func (t *thing) command(w []string) string {
	has := func(member string) bool { _, is := t.members[member]; return is }
	number := map[bool]string{true: "1", false: "0"}
	switch w[0] {
	case "get", "mget":
		said := ""
		for _, member := range w[1:] {
			if has(member) {
				said += "," + t.members[member]
			} else {
				said += ",-"
			}
		}
		return said[1:]
	case "msetnx":
		for i := 1; i < len(w); i += 2 {
			if has(w[i]) {
				return "0"
			}
		}
	case "del":
		before := len(t.members)
		for _, member := range w[1:] {
			t.drop(member)
		}
		return fmt.Sprint(before - len(t.members))
	case "rename":
		if !has(w[1]) {
			return "error"
		}
		value := t.members[w[1]]
		t.drop(w[1])
		t.put(w[2], value)
		return "OK"
	case "copy", "move":
		acts := has(w[1]) && !has(w[2])
		if acts {
			t.put(w[2], t.members[w[1]])
		}
		if acts && w[0] == "move" {
			t.drop(w[1])
		}
		return number[acts]
	}
	for i := 1; i < len(w); i += 2 {
		t.put(w[i], w[i+1])
	}
	return map[bool]string{true: "1", false: "OK"}[w[0] == "msetnx"]
}
