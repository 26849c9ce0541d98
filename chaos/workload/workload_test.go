package workload

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/wire"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/slots"
)

// idleClient is a client that nobody steps.
func idleClient(w *Workload, alone bool) *Client {
	world := sim.New(1, sim.Mix{})
	world.Advance(5_000_000_000)
	crowd := NewCrowd(Options{World: world, Nodes: []string{"10.0.0.1:6379"}, Alone: alone, Clients: 1, Workload: w})
	return crowd.Clients[0]
}

// Every operation that a workload draws makes sense, has a model, and is asked for
// in the words of Redis.
func TestWorkloadsDrawWhatModelsCover(t *testing.T) {
	for i := range Table {
		w := &Table[i]
		t.Run(w.Name, func(t *testing.T) {
			c, drawn := idleClient(w, w.Alone), map[string]bool{}
			for range 2000 {
				j := w.next(c)
				asks := j.asks
				if j.then != nil {
					asks = append(slices.Clone(asks), j.then()...)
				}
				for _, a := range asks {
					if a.op.Kind == "" {
						continue
					}
					checkDrawn(t, a.op)
					for _, words := range a.sends {
						drawn[words[0]] = true
					}
				}
			}
			if len(drawn) < 4 {
				t.Errorf("only %v were drawn", drawn)
			}
		})
	}
}

func checkDrawn(t *testing.T, op linearize.Operation) {
	t.Helper()
	op.Outcome = linearize.Replied("OK")
	if err := op.Validate(); err != nil {
		t.Fatalf("%v: %v", &op, err)
	}
	h := &linearize.History{Operations: []linearize.Operation{op}}
	report, err := linearize.Check(h, linearize.Options{})
	if err != nil || report.Keys[0].Model == "" {
		t.Fatalf("%v: no model, %v", &op, err)
	}
}

// Both a cluster and a node alone know the keys of a family.
func TestFamiliesShareASlotInAClusterOnly(t *testing.T) {
	for alone, want := range map[bool]string{
		true:  "[[mset family:0:0a 1 family:0:0b 2] [mget family:0:0a family:0:0b]]",
		false: "[[mset {family:0:0}a 1 {family:0:0}b 2] [mget {family:0:0}a {family:0:0}b]]",
	} {
		c := idleClient(Find("tags"), alone)
		a := c.batch(c.crowd.keys[0], "", "mset a 1 b 2", "mget a b")
		if got := fmt.Sprint(a.sends[1:3]); got != want {
			t.Errorf("alone %v: %s", alone, got)
		}
	}
}

func TestAcrossDatabases(t *testing.T) {
	c := idleClient(Find("databases"), true)
	a := c.across(c.crowd.keys[1], []string{"set a0 1", "move a0 a1", "get a1"})
	want := "[[multi] [select 0] [set family:1:0a 1] [select 0] [move family:1:0a 1] [select 1] [get family:1:0a] [exec]]"
	if got := fmt.Sprint(a.sends); got != want {
		t.Errorf("%s", got)
	}
	ok, queued := wire.Value{Kind: '+', Text: "OK"}, wire.Value{Kind: '+', Text: "QUEUED"}
	list := []wire.Value{ok, ok, ok, {Kind: ':', Text: "1"}, ok, {Kind: '$', Text: "1"}}
	o, odd := a.tell([]wire.Value{ok, queued, queued, queued, queued, queued, queued, {Kind: '*', List: list}})
	if o != linearize.Replied("OK;1;1") || odd != "" {
		t.Errorf("%v, %q", o, odd)
	}
	single := c.across(c.crowd.keys[1], []string{"get a1"})
	if o, odd := single.tell([]wire.Value{ok, {Kind: '_'}}); o != linearize.Replied("-") || odd != "" {
		t.Errorf("%v, %q", o, odd)
	}
	if _, odd := single.tell([]wire.Value{queued, {Kind: '_'}}); odd == "" {
		t.Error("QUEUED is taken for the reply to SELECT")
	}
}

func TestWords(t *testing.T) {
	const at = 5_000_000_000 // 1738584005 s
	for _, c := range []struct {
		op   linearize.Operation
		want string
	}{
		{linearize.Operation{Kind: linearize.Get}, "get k"},
		{linearize.Operation{Kind: linearize.Set, Value: "v", If: "eq", Old: "o"}, "set k v IFEQ o"},
		{linearize.Operation{Kind: linearize.Set, Value: "v", If: "ne", Old: "o", Life: 5e6}, "set k v IFNE o PX 5"},
		{linearize.Operation{Kind: linearize.Set, Value: "v", If: "nx", Life: 5e6}, "set k v NX PX 5"},
		{linearize.Operation{Kind: linearize.Set, Value: "v", At: at}, "set k v EXAT 1738584005"},
		{linearize.Operation{Kind: linearize.Set, Value: "v", At: at + 7e6}, "set k v PXAT 1738584005007"},
		{linearize.Operation{Kind: linearize.Set, Value: "v", Keep: true}, "set k v KEEPTTL"},
		{linearize.Operation{Kind: linearize.Set, Value: "v.9"}, "set k v.9|v.9|v"},
		{linearize.Operation{Kind: linearize.GetEx, Keep: true}, "getex k"},
		{linearize.Operation{Kind: linearize.GetEx}, "getex k PERSIST"},
		{linearize.Operation{Kind: linearize.GetEx, At: at}, "getex k EXAT 1738584005"},
		{linearize.Operation{Kind: linearize.PExpire, Life: 7e6}, "pexpire k 7"},
		{linearize.Operation{Kind: linearize.PExpireAt, At: at}, "pexpireat k 1738584005000"},
		{linearize.Operation{Kind: linearize.DecrBy, Delta: 3}, "decrby k 3"},
		{linearize.Operation{Kind: linearize.DelIfEq, Old: "o"}, "delifeq k o"},
		{linearize.Operation{Kind: linearize.DelEx, If: "ne", Old: "o"}, "delex k IFNE o"},
	} {
		if got := strings.Join(words(&c.op, "k"), " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A long value is known by its beginning, if all of it is there.
func TestLongValues(t *testing.T) {
	v := value(3, 17, 1000)
	text := inFull(v)
	if len(text) != 1000 || inFull("3-17") != "3-17" {
		t.Errorf("%d bytes", len(text))
	}
	if name, whole := named(text); name != v || !whole {
		t.Errorf("%q, %v", name, whole)
	}
	for _, torn := range []string{text[:999], text + "x", text[:500] + "x" + text[501:]} {
		if _, whole := named(torn); whole {
			t.Errorf("%d bytes are taken for whole", len(torn))
		}
	}
}

// What an answer cannot be is odd.
func TestOddAnswers(t *testing.T) {
	for _, c := range []struct {
		kind linearize.Kind
		a    wire.Value
		odd  bool
	}{
		{linearize.Get, wire.Value{Kind: '$', Text: "1-1"}, false},
		{linearize.Get, wire.Value{Kind: '_'}, false},
		{linearize.Get, wire.Value{Kind: ':', Text: "1"}, true},
		{linearize.Get, wire.Value{Kind: '+', Text: "OK"}, true},
		{linearize.Get, wire.Value{Kind: '$', Text: "1-1.99|"}, true},
		{linearize.Set, wire.Value{Kind: '+', Text: "OK"}, false},
		{linearize.Set, wire.Value{Kind: '$', Text: "1-1"}, true},
		{linearize.Del, wire.Value{Kind: ':', Text: "1"}, false},
		{linearize.Del, wire.Value{Kind: '_'}, true},
	} {
		if _, odd := tellSingle(c.kind, c.a); (odd != "") != c.odd {
			t.Errorf("%s of %v: %q", c.kind, c.a, odd)
		}
	}
	e := echo("x")
	if _, odd := e.tell([]wire.Value{{Kind: '$', Text: "y"}}); odd == "" {
		t.Error("the echo of something else")
	}
}

func TestTransactionAnswers(t *testing.T) {
	ok, queued := wire.Value{Kind: '+', Text: "OK"}, wire.Value{Kind: '+', Text: "QUEUED"}
	commands := []string{"mget a b", "rename a b"}
	list := wire.Value{Kind: '*', List: []wire.Value{{Kind: '*', List: []wire.Value{{Kind: '$', Text: "1"}, {Kind: '_'}}}, {Kind: '-', Text: "ERR no such key"}}}
	moved := wire.Value{Kind: '-', Text: "MOVED 1 x"}
	for _, c := range []struct {
		name    string
		answers []wire.Value
		want    linearize.Outcome
		odd     bool
	}{
		{"done", []wire.Value{ok, queued, queued, list}, linearize.Replied("1,-;error"), false},
		{"a watched key changed", []wire.Value{ok, queued, queued, {Kind: '_'}}, linearize.Outcome{Result: linearize.Nothing}, false},
		{"turned away", []wire.Value{ok, moved, queued, {Kind: '-', Text: "EXECABORT x"}}, linearize.Outcome{Result: linearize.Refused, Text: "MOVED 1 x"}, false},
		{"turned away at last", []wire.Value{ok, queued, queued, moved}, linearize.Outcome{Result: linearize.Refused, Text: "MOVED 1 x"}, false},
		{"turned away and yet done", []wire.Value{ok, moved, queued, list}, linearize.Outcome{Result: linearize.Refused, Text: "MOVED 1 x"}, true},
		{"not queued", []wire.Value{ok, queued, ok, list}, linearize.Replied("1,-;error"), true},
		{"half done", []wire.Value{ok, queued, queued, {Kind: '*', List: list.List[:1]}}, linearize.Outcome{Result: linearize.Nothing}, true},
	} {
		if o, odd := tellExec(commands, c.answers); o != c.want || (odd != "") != c.odd {
			t.Errorf("%s: %v, %q", c.name, o, odd)
		}
	}
}

// A key is left before it is too much for its judge.
func TestPickGoesOn(t *testing.T) {
	d, asked := fault.Dice{Rand: sim.NewRand(1)}, map[string]int{}
	keys := []*key{{place: 0, most: mostAsked}, {place: 1, most: mostAsked}}
	for range 1000 {
		k := pick(d, keys)
		k.asked++
		asked[k.name()]++
		if d.Chance(1) {
			k.lost = mostLost
		}
	}
	for name, n := range asked {
		if n > mostAsked {
			t.Errorf("%s was asked for %d times", name, n)
		}
	}
	if len(asked) < 9 {
		t.Errorf("only %d keys", len(asked))
	}
}

// answered has a client get answers to what it sent together, and gives what it
// wrote down and what it found odd.
func answered(asks []*ask, answers ...wire.Value) *Crowd {
	c := idleClient(Find("pipeline"), true)
	c.job, c.first, c.waiting = &job{asks: asks}, true, true
	c.lines[0] = c.crowd.world.Dial(c.crowd.nodes[0])
	c.number(1, len(asks))
	for _, a := range answers {
		c.answer(2, a)
	}
	if c.waiting {
		c.lost(3)
	}
	return c.crowd
}

// A client that gives up between WATCH and EXEC leaves no watch behind, which would end
// another transaction on the same connection.
func TestClientThatGivesUpWatchesNothing(t *testing.T) {
	c := idleClient(Find("transactions"), true)
	for c.job == nil || c.job.then == nil {
		c.job = c.crowd.workload.next(c)
	}
	c.dial()
	c.job.asks, c.first, c.begun = c.job.then(), false, 0
	c.send(patience + 1)
	if c.lines[0] != nil || c.job != nil || c.crowd.Given != 1 {
		t.Errorf("connection %v, job %v, %d given up", c.lines[0], c.job, c.crowd.Given)
	}
}

// Replies that come in another order than requests were sent are noticed, whatever
// the requests are.
func TestRepliesOutOfOrderAreNoticed(t *testing.T) {
	k := &key{place: 1}
	set := func() *ask { return single(k, linearize.Operation{Kind: linearize.Set, Value: "1-1"}) }
	get := func() *ask { return single(k, linearize.Operation{Kind: linearize.Get}) }
	ok, one, text := wire.Value{Kind: '+', Text: "OK"}, wire.Value{Kind: '$', Text: "1-1"}, wire.Value{Kind: '$', Text: "echo"}
	right := answered([]*ask{set(), echo("echo"), get()}, ok, text, one)
	if len(right.Odd) > 0 || len(right.History.Operations) != 2 {
		t.Errorf("%q, %v", right.Odd, right.History.Operations)
	}
	if wrong := answered([]*ask{set(), get()}, one, ok); len(wrong.Odd) == 0 {
		t.Error("SET and GET were not told apart")
	}
	if wrong := answered([]*ask{get(), echo("echo")}, text, one); len(wrong.Odd) == 0 {
		t.Error("GET and ECHO were not told apart")
	}
	// two reads of two keys
	other := &key{place: 3}
	read := single(other, linearize.Operation{Kind: linearize.Get})
	wrong := answered([]*ask{set(), get(), read}, ok, wire.Value{Kind: '_'}, one)
	report, err := linearize.Check(&wrong.History, linearize.Options{})
	if err != nil || report.Class != linearize.Violated {
		t.Errorf("two reads were not told apart: %v, %v", report, err)
	}
}

// What was sent together and not answered to its end is unknown from the first that
// was not on; reads are forgotten; what was turned away was not done.
func TestABrokenPipeline(t *testing.T) {
	k := &key{place: 1}
	var asks []*ask
	for n := range 5 {
		op := linearize.Operation{Kind: linearize.Set, Value: fmt.Sprintf("1-%d", n)}
		if n == 3 {
			op = linearize.Operation{Kind: linearize.Get}
		}
		asks = append(asks, single(k, op))
	}
	moved := wire.Value{Kind: '-', Text: "CLUSTERDOWN x"}
	crowd := answered(asks, wire.Value{Kind: '+', Text: "OK"}, moved)
	var told []string
	for _, op := range crowd.History.Operations {
		told = append(told, fmt.Sprintf("%s %s line %d place %d", op.Value, op.Outcome, op.Line, op.Place))
	}
	want := []string{`1-0 "OK" line 1 place 0`, `1-2 ? line 1 place 2`, `1-4 ? line 1 place 4`}
	if !slices.Equal(told, want) || k.lost != 2 {
		t.Errorf("%q, %d lost", told, k.lost)
	}
	if err := crowd.History.Validate(); err != nil {
		t.Error(err)
	}
}

// Where ASK points, ASKING goes first, except into a transaction.
func TestAsk(t *testing.T) {
	ok, queued := wire.Value{Kind: '+', Text: "OK"}, wire.Value{Kind: '+', Text: "QUEUED"}
	c := idleClient(Find("transactions"), false)
	k := c.crowd.keys[0]
	c.crowd.nodes = append(c.crowd.nodes, "10.0.0.2:6379")
	c.lines = append(c.lines, nil)
	ask := wire.Value{Kind: '-', Text: fmt.Sprintf("ASK %d 10.0.0.2:6379", slots.Of([]byte(c.crowd.family(k))))}
	for _, row := range []struct {
		commands []string
		answers  []wire.Value
		asking   bool
	}{
		{[]string{"get a"}, []wire.Value{ask}, true},
		{[]string{"get a", "get b"}, []wire.Value{ok, queued, ask, {Kind: '-', Text: "EXECABORT x"}}, false},
	} {
		a := c.batch(k, "", row.commands...)
		c.job, c.first, c.waiting, c.at = one(a), true, true, 0
		for _, answer := range row.answers {
			c.answer(2, answer)
		}
		if a.asking != row.asking || c.job == nil || row.asking && c.to != 1 {
			t.Errorf("%q: asking %v, goes to node %d", row.commands, a.asking, c.to)
		}
	}
	a := c.batch(k, "", "get a")
	a.asking = true
	c.job, c.waiting, c.at = one(a), true, 0
	c.answer(3, ok)
	c.answer(3, wire.Value{Kind: '$', Text: "1-1"})
	if h := c.crowd.History.Operations; len(h) != 1 || h[0].Outcome != linearize.Replied("1-1") || len(c.crowd.Odd) > 0 {
		t.Errorf("%v, %q", h, c.crowd.Odd)
	}
}
