package workload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/elares/ironcache/chaos/wire"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/slots"
)

// The members of a family, as histories know them. As the node knows them, their
// names begin with the family's: with a hash tag in a cluster, so that one slot has
// them all, and without one elsewhere.
var members = []string{"a", "b", "c"}

// family is the name of a family.
func (c *Crowd) family(k *key) string {
	if c.alone {
		return fmt.Sprintf("family:%d:%d", k.place, k.turn)
	}
	return fmt.Sprintf("{family:%d:%d}", k.place, k.turn)
}

// near tells whether one node answered for two keys, as far as the client knows.
func (c *Client) near(a, b *key) bool {
	one, known := c.owner[slots.Of([]byte(a.name()))]
	other, both := c.owner[slots.Of([]byte(b.name()))]
	return !known || !both || one == other
}

// batch is an ask for commands on members of a family. Several are a transaction,
// as is what ends a watch.
func (c *Client) batch(k *key, watch string, commands ...string) *ask {
	k.asked++
	name := c.crowd.family(k)
	op := linearize.Operation{Key: name, Kind: linearize.Batch, Value: strings.Join(commands, ";"), Old: watch}
	a := &ask{op: op, key: k, route: name}
	whole := len(commands) > 1 || watch != ""
	if whole {
		a.sends = append(a.sends, []string{"multi"})
	}
	a.reads = watch == ""
	for _, command := range commands {
		a.sends = append(a.sends, onMembers(name, strings.Fields(command)))
		a.reads = a.reads && strings.Contains(command, "get ")
	}
	if !whole {
		a.tell = func(answers []wire.Value) (linearize.Outcome, string) { return tellBatch(commands, answers) }
		return a
	}
	a.sends = append(a.sends, []string{"exec"})
	a.tell = func(answers []wire.Value) (linearize.Outcome, string) { return tellExec(commands, answers) }
	return a
}

// onMembers is a command with the names that the node knows.
func onMembers(family string, command []string) []string {
	command = slices.Clone(command)
	each := 1
	switch command[0] {
	case "set", "mset", "msetnx":
		each = 2
	}
	for i := 1; i < len(command); i += each {
		command[i] = family + command[i]
	}
	return command
}

// tellExec says what the answers to a transaction mean.
func tellExec(commands []string, answers []wire.Value) (o linearize.Outcome, odd string) {
	last := answers[len(answers)-1]
	for _, a := range answers[:len(answers)-1] {
		if a.Failed() {
			if !last.Failed() {
				odd = fmt.Sprintf("a transaction of which a command was refused ends with %v", last)
			}
			return linearize.Outcome{Result: linearize.Refused, Text: a.Text}, odd
		}
	}
	for i, a := range answers[:len(answers)-1] {
		if want := []string{"OK", "QUEUED"}[min(i, 1)]; a.Text != want {
			odd = fmt.Sprintf("the reply to another request than %d of a transaction: %v", i+1, a)
		}
	}
	switch {
	case last.Failed():
		return linearize.Outcome{Result: linearize.Refused, Text: last.Text}, odd
	case last.Null():
		return linearize.Outcome{Result: linearize.Nothing}, odd
	case last.Kind != '*' || len(last.List) != len(commands):
		return linearize.Outcome{Result: linearize.Nothing}, fmt.Sprintf("no reply to EXEC: %v", last)
	}
	o, other := tellBatch(commands, last.List)
	return o, odd + other
}

// tellBatch says what answers to commands mean, in the words of the judge.
func tellBatch(commands []string, answers []wire.Value) (o linearize.Outcome, odd string) {
	var parts []string
	for i, command := range commands {
		name, _, _ := strings.Cut(command, " ")
		a := answers[i]
		switch {
		case name == "rename" && a.Text == "ERR no such key":
			a = wire.Value{Kind: '+', Text: "error"}
		case a.Failed():
			return linearize.Outcome{Result: linearize.Refused, Text: a.Text}, ""
		}
		if !strings.ContainsRune(formsOf[name], rune(a.Kind)) {
			odd = fmt.Sprintf("the reply to another request than %s: %v", name, a)
		}
		parts = append(parts, inWords(a))
	}
	return linearize.Replied(strings.Join(parts, ";")), odd
}

// formsOf is the first byte of replies to commands.
var formsOf = map[string]string{
	"copy": ":", "del": ":", "get": "$_", "mget": "*", "move": ":", "mset": "+", "msetnx": ":", "rename": "+", "set": "+",
}

// inWords is an answer as the judge has it.
func inWords(a wire.Value) string {
	if a.Null() {
		return "-"
	}
	if a.List == nil {
		return a.Text
	}
	var parts []string
	for _, part := range a.List {
		parts = append(parts, inWords(part))
	}
	return strings.Join(parts, ",")
}

// some draws members, at least so many, in any order.
func (c *Client) some(least int) []string {
	list := slices.Clone(members)
	for i := range list {
		j := i + c.dice.Below(len(list)-i)
		list[i], list[j] = list[j], list[i]
	}
	return list[:least+c.dice.Below(len(list)-least+1)]
}

// command draws a command on members.
func (c *Client) command() string {
	pairs := func(list []string) (text string) {
		fresh := c.fresh(false) // one value, so that half of a write shows
		for _, member := range list {
			text += " " + member + " " + fresh
		}
		return text
	}
	switch draw := c.dice.Below(100); {
	case draw < 30:
		return "mget " + strings.Join(c.some(2), " ")
	case draw < 50:
		return "mset" + pairs(c.some(2))
	case draw < 58:
		return "msetnx" + pairs(c.some(2))
	case draw < 68:
		return "set" + pairs(c.some(1)[:1])
	case draw < 78:
		return "get " + c.some(1)[0]
	case draw < 88:
		return "del " + strings.Join(c.some(1), " ")
	case draw < 95:
		return "rename " + strings.Join(c.some(2)[:2], " ")
	}
	return "copy " + strings.Join(c.some(2)[:2], " ")
}

func nextTags(c *Client) *job {
	return one(c.batch(pick(c.dice, c.crowd.keys), "", c.command()))
}

// nextTransactions draws a transaction, which often ends a watch of what it changes.
func nextTransactions(c *Client) *job {
	k := pick(c.dice, c.crowd.keys)
	var commands []string
	for n := c.dice.Between(2, 4); n > 0; n-- {
		commands = append(commands, c.command())
	}
	switch draw := c.dice.Below(100); {
	case draw < 30:
		return one(c.batch(k, "", c.command()))
	case draw < 60:
		return one(c.batch(k, "", commands...))
	}
	c.asked++
	watch, list := fmt.Sprintf("w%d-%d", c.id, c.asked), c.some(1)
	name := c.crowd.family(k)
	first := &ask{
		op:  linearize.Operation{Key: name, Kind: linearize.Watch, Value: strings.Join(list, " "), Old: watch},
		key: k, route: name, reads: true,
		sends: [][]string{append([]string{"watch"}, onMembers(name, append([]string{"watch"}, list...))[1:]...)},
		tell: func(answers []wire.Value) (linearize.Outcome, string) {
			return tellSingle(linearize.Set, answers[0])
		},
	}
	return &job{
		asks: []*ask{first, c.batch(k, "", "mget "+strings.Join(list, " "))},
		then: func() []*ask { return []*ask{c.batch(k, watch, commands...)} },
	}
}

// nextOrder draws single commands on members that are sent together: writes in some
// order, or reads, and both more than once. Writes do not look at what is there, so
// that one that was lost and never seen does not make work for the judge.
func nextOrder(c *Client) *job {
	k := pick(c.dice, c.crowd.keys)
	var asks []*ask
	writes, list := c.dice.Chance(45), c.some(2)
	for n := c.dice.Between(2, 4); n > 0; n-- {
		member := list[int(n)%len(list)]
		command := "get " + member
		switch all := c.dice.Chance(10); {
		case writes && all:
			fresh := c.fresh(false)
			command = "mset a " + fresh + " b " + fresh
		case writes:
			command = "set " + member + " " + c.fresh(false)
		case all:
			command = "mget b c"
		}
		asks = append(asks, c.batch(k, "", command))
	}
	return &job{asks: asks}
}
