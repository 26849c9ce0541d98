package workload

import (
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim"
)

// Every operation that a workload draws makes sense, has a model, and is asked for
// in the words of Redis.
func TestWorkloadsDrawWhatModelsCover(t *testing.T) {
	for _, w := range Table {
		t.Run(w.Name, func(t *testing.T) {
			d, kinds := fault.Dice{Rand: sim.NewRand(1)}, map[linearize.Kind]bool{}
			for range 2000 {
				op := w.next(d, &key{seen: "s"}, "v")
				op.Key, op.Outcome = "k", linearize.Replied("OK")
				if err := op.Validate(); err != nil {
					t.Fatalf("%v: %v", &op, err)
				}
				h := &linearize.History{Operations: []linearize.Operation{op}}
				report, err := linearize.Check(h, linearize.Options{})
				if err != nil || report.Keys[0].Model == "" {
					t.Fatalf("%v: no model, %v", &op, err)
				}
				kinds[op.Kind] = true
			}
			if len(kinds) < 5 {
				t.Errorf("only %v were drawn", kinds)
			}
		})
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		op   linearize.Operation
		want string
	}{
		{linearize.Operation{Kind: linearize.Get, Key: "k"}, "get k"},
		{linearize.Operation{Kind: linearize.Set, Key: "k", Value: "v", If: "eq", Old: "o"}, "set k v IFEQ o"},
		{linearize.Operation{Kind: linearize.Set, Key: "k", Value: "v", If: "nx", Life: 5e6}, "set k v NX PX 5"},
		{linearize.Operation{Kind: linearize.Set, Key: "k", Value: "v", Keep: true}, "set k v KEEPTTL"},
		{linearize.Operation{Kind: linearize.PExpire, Key: "k", Life: 7e6}, "pexpire k 7"},
		{linearize.Operation{Kind: linearize.DecrBy, Key: "k", Delta: 3}, "decrby k 3"},
		{linearize.Operation{Kind: linearize.DelIfEq, Key: "k", Old: "o"}, "delifeq k o"},
	} {
		if got := strings.Join(words(&c.op), " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestReply(t *testing.T) {
	for _, c := range []struct {
		text string
		size int
		want linearize.Outcome
	}{
		{"+OK\r\n", 5, linearize.Replied("OK")},
		{":-7\r\nrest", 5, linearize.Replied("-7")},
		{"$-1\r\n", 5, linearize.Outcome{Result: linearize.Nothing}},
		{"$3\r\na\r\n\r\n", 9, linearize.Replied("a\r\n")},
		{"-MOVED 1 a\r\n", 12, linearize.Outcome{Result: linearize.Refused, Text: "MOVED 1 a"}},
		{"$3\r\nab", 0, linearize.Outcome{}},
		{"+O", 0, linearize.Outcome{}},
		{"", 0, linearize.Outcome{}},
		{"\r\n", -1, linearize.Outcome{}},
		{"*1\r\n", -1, linearize.Outcome{}},
		{"$x\r\n", -1, linearize.Outcome{}},
	} {
		if size, got := reply([]byte(c.text)); size != c.size || size > 0 && got != c.want {
			t.Errorf("%q: %d, %v", c.text, size, got)
		}
	}
}

// A key is left before it is too much for its judge.
func TestPickGoesOn(t *testing.T) {
	d, asked := fault.Dice{Rand: sim.NewRand(1)}, map[string]int{}
	keys := []*key{{place: 0}, {place: 1}}
	for range 1000 {
		k := pick(d, keys)
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
