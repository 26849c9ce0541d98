package command

import (
	"errors"
	"strconv"
	"strings"
	"testing"
)

// Every effect is a command that anybody can run later with the same result.
func TestEffects(t *testing.T) {
	const before = "mset s hello n 10 m 1"
	for _, test := range []struct{ line, effects, events string }{
		{"get s", "", ""},
		{"set k v", "set k v", "set k"},
		{"SET k v EX 10", "SET k v PXAT 1700000010000", "set k; expire k"},
		{"set k v exat 1800000000 nx", "SET k v PXAT 1800000000000", "set k; expire k"},
		{"set s v keepttl get", "SET s v KEEPTTL", "set s"},
		{"set s v get", "SET s v", "set s"},
		{"set s v nx", "", ""},
		{"set s v ifeq hello", "SET s v", "set s"},
		{"setnx k v", "SET k v", "set k"},
		{"setnx s v", "", ""},
		{"setex k 10 v", "SET k v PXAT 1700000010000", "set k; expire k"},
		{"getset s v", "SET s v", "set s"},
		{"getdel s", "DEL s", "del s"},
		{"getdel x", "", ""},
		{"delex s ifeq hello", "DEL s", "del s"},
		{"delex s ifeq x", "", ""},
		{"delifeq s hello", "DEL s", "del s"},
		{"getex s", "", ""},
		{"getex s ex 10", "PEXPIREAT s 1700000010000", "expire s"},
		{"getex s pxat 1", "DEL s", "del s"},
		{"getex s persist", "", ""},
		{"append s x", "append s x", "append s"},
		{"setrange s 1 x", "setrange s 1 x", "setrange s"},
		{`setrange s 1 ""`, "", ""},
		{"incr n", "incr n", "incrby n"},
		{"incrby s 1", "", ""},
		{"incrbyfloat n 1.5", "SET n 11.5 KEEPTTL", "incrbyfloat n"},
		{"mset a 1 b 2", "MSET a 1 b 2", "set a; set b"},
		{"msetnx a 1 b 2", "MSET a 1 b 2", "set a; set b"},
		{"msetnx a 1 s 2", "", ""},
		{"msetex 2 a 1 b 2 nx px 5", "MSETEX 2 a 1 b 2 PXAT 1700000000005", "set a; expire a; set b; expire b"},
		{"msetex 1 s 1 xx keepttl", "MSETEX 1 s 1 KEEPTTL", "set s"},
		{"del s x n", "del s x n", "del s; del n"},
		{"del x", "", ""},
		{"unlink s", "unlink s", "del s"},
		{"expire s 10", "PEXPIREAT s 1700000010000", "expire s"},
		{"expire s -10", "DEL s", "del s"},
		{"expire s 10 xx", "", ""},
		{"pexpireat s 1800000000001", "PEXPIREAT s 1800000000001", "expire s"},
		{"persist s", "", ""},
		{"rename s t", "rename s t", "rename_from s; rename_to t"},
		{"rename s s", "", ""},
		{"renamenx s t", "RENAME s t", "rename_from s; rename_to t"},
		{"renamenx s n", "", ""},
		{"copy s t", "copy s t", "copy_to t"},
		{"copy s n", "", ""},
		{"move s 1", "move s 1", "move_from s; move_to s"},
		{"touch s", "", ""},
		{"flushdb", "flushdb", ""},
		{"flushall async", "flushall async", ""},
		{"swapdb 0 1", "swapdb 0 1", ""},
		{"set s v ex 0", "", ""},
	} {
		w := newWorld(t, 2)
		w.do(before)
		w.listen()
		w.do(test.line)
		if got := w.effects(); got != test.effects {
			t.Errorf("%s: effect %q, want %q", test.line, got, test.effects)
		}
		if got := w.events(); got != test.events {
			t.Errorf("%s: touched %q, want %q", test.line, got, test.events)
		}
	}
}

func TestEffectsOfExpiryComeFirst(t *testing.T) {
	w := newWorld(t, 2)
	w.do("set k v px 10")
	w.do("set o v")
	w.call.Now += 11
	w.listen()
	w.do("rename o k")
	if got := w.effects() + " | " + w.events(); got != "DEL k; rename o k | expired k; rename_from o; rename_to k" {
		t.Error(got)
	}
}

// short is memory of which there is soon no more.
type short struct {
	heap
	used bool
}

func (s *short) Map(size int) ([]byte, error) {
	if s.used {
		return nil, errors.New("no more memory")
	}
	return s.heap.Map(size)
}

// What was stored before the system refused memory is told, and only that.
func TestEffectsOfWhatFailsHalfway(t *testing.T) {
	large := strings.Repeat("x", 1<<20)
	for _, test := range []struct{ line, effects string }{
		{"mset a 1 b " + large, "MSET a 1; flushdb"},
		{"mset b " + large + " a 1", "flushdb"},
		{"msetnx a 1 b " + large, "MSET a 1; flushdb"},
		{"msetex 2 a 1 b " + large + " px 5", "MSETEX 1 a 1 PXAT 1700000000005; flushdb"},
		{"msetex 2 b " + large + " a 1 px 5", "flushdb"},
	} {
		memory := &short{}
		w := newWorldOn(t, 1, memory)
		memory.used = true
		w.listen()
		if got := w.doWords(strings.Fields(test.line)...); !strings.HasPrefix(got, "-OOM") {
			t.Errorf("%.20s: reply %.80s", test.line, got)
		}
		w.do("flushdb")
		if got := w.effects(); got != test.effects {
			t.Errorf("%.20s: effects %.80q, want %q", test.line, got, test.effects)
		}
	}
}

// A request with very many keys leaves no memory behind for the next.
func TestEffectsOfManyKeysAreForgotten(t *testing.T) {
	w := newWorld(t, 2)
	w.listen()
	words := []string{"mset"}
	for i := range 100_000 {
		words = append(words, strconv.Itoa(i), "v")
	}
	if got := w.doWords(words...); got != "+OK\r\n" {
		t.Fatal(got)
	}
	e := &w.call.effect
	if cap(e.Args) > mostKept || cap(e.Touched) > mostKept {
		t.Errorf("room is kept for %d arguments and %d keys", cap(e.Args), cap(e.Touched))
	}
}

func TestEffectsCarryTheirDatabase(t *testing.T) {
	w := newWorld(t, 2)
	w.do("set a v")
	w.db = 1
	w.do("set a v px 10")
	w.db = 0
	w.call.Now += 11
	w.listen()
	w.do("move a 1")
	if got := w.dbs; len(got) != 2 || got[0] != 1 || got[1] != 0 {
		t.Errorf("databases %v of %s", got, w.effects())
	}
}

func TestSweptDatabases(t *testing.T) {
	w := newWorld(t, 2)
	var swept []int
	w.call.Listen(func(e *Effect) { swept = append(swept[:0], e.Swept...) })
	for line, want := range map[string]int{"flushdb": 1, "flushall": testDatabases, "swapdb 1 2": 2, "swapdb 1 1": 0, "set a b": 0} {
		if w.do(line); len(swept) != want {
			t.Errorf("%s swept %v", line, swept)
		}
	}
}
