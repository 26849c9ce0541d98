package linearize

import (
	"slices"
	"testing"
)

// A ruling is a small history and its verdict, with what it is an example of.
type ruling struct {
	name    string
	model   string
	options Options
	want    Class
	history string
}

var (
	drifting = Options{Clock: Clock{Drift: 100_000}} // a tenth
	skewed   = Options{Clock: Clock{Skew: 5}}
	wiping   = Options{Wipes: true}
	losing   = Options{LostWrites: true}
)

func rulings() []ruling {
	return slices.Concat(registerRulings, counterRulings, expiryRulings, markRulings, momentRulings, lineRulings, familyRulings)
}

func TestRulings(t *testing.T) {
	for _, r := range rulings() {
		t.Run(r.name, func(t *testing.T) {
			h := parse(t, r.history)
			report := check(t, h, r.options)
			if report.Class != r.want || report.Keys[0].Model != r.model {
				t.Fatalf("%s by model %q, want %s by %q: %s", report.Class, report.Keys[0].Model, r.want, r.model, report.Keys[0].Reason)
			}
			p := pose("k", modelOf(pointers(h)), pointers(h), h.Marks, r.options)
			if legal := explained(p, r.options); legal != (r.want == OK) {
				t.Fatalf("all orders tried, one explains it: %v", legal)
			}
		})
	}
}

// TestEveryModelAndKindIsRuledOn fails when a row has no example of each class.
func TestEveryModelAndKindIsRuledOn(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rulings() {
		h := parse(t, r.history)
		for _, op := range h.Operations {
			seen[r.model+" "+string(op.Kind)] = true
		}
		for _, m := range h.Marks {
			seen[string(m.Kind)] = true
		}
		seen[r.model+" "+string(r.want)] = true
	}
	for _, m := range Models {
		for _, kind := range m.Kinds {
			if !seen[m.Name+" "+string(kind)] {
				t.Errorf("no ruling on %s of the model %s", kind, m.Name)
			}
		}
		for _, class := range []Class{OK, Violated} {
			if !seen[m.Name+" "+string(class)] {
				t.Errorf("no ruling of the model %s is %s", m.Name, class)
			}
		}
	}
	for _, row := range marks {
		if row.step != nil && !seen[string(row.kind)] {
			t.Errorf("no ruling on the mark %s", row.kind)
		}
	}
}

var registerRulings = []ruling{
	{"a fresh read", "register", Options{}, OK, `
		0..10  SET a -> OK
		20..30 GET -> a`},
	{"a stale read", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..30 SET b -> OK
		40..50 GET -> a`},
	{"a read beside a write may see either", "register", Options{}, OK, `
		0..10  SET a -> OK
		20..60 SET b -> OK
		30..40 GET -> a
		45..50 GET -> b`},
	{"reads beside a write do not go back", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..60 SET b -> OK
		30..40 GET -> b
		45..50 GET -> a`},
	{"intervals that touch overlap", "register", Options{}, OK, `
		0..10  SET a -> OK
		10..20 GET -> nil`},
	{"intervals one apart do not overlap", "register", Options{}, Violated, `
		0..10  SET a -> OK
		11..20 GET -> nil`},
	{"a lost update", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..30 GET -> nil`},
	{"a value from nowhere", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..30 GET -> b`},
	{"a resurrected value", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..30 DEL -> 1
		40..50 GET -> a`},
	{"removed and gone", "register", Options{}, OK, `
		0..10  SET a -> OK
		20..30 DEL -> 1
		40..50 DEL -> 0
		60..70 GET -> nil`},
	{"removed twice", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..40 DEL -> 1
		20..40 DEL -> 1`},
	{"compare-and-set succeeds once", "register", Options{}, OK, `
		0..10  SET a -> OK
		20..40 SET b IFEQ a -> OK
		20..40 SET c IFEQ a -> nil
		50..60 GET -> b`},
	{"compare-and-set succeeds twice", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..40 SET b IFEQ a -> OK
		20..40 SET c IFEQ a -> OK`},
	{"compare-and-set fails without cause", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..40 SET b IFEQ a -> nil`},
	{"compare-and-set of nothing", "register", Options{}, Violated, `
		0..10  SET b IFEQ a -> OK`},
	{"delete-if-equal", "register", Options{}, OK, `
		0..10  SET a -> OK
		20..30 DELIFEQ b -> 0
		40..50 DELIFEQ a -> 1
		60..70 DELIFEQ a -> 0`},
	{"delete-if-equal of another value", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..30 DELIFEQ b -> 1`},
	{"a lock is taken once", "register", Options{}, OK, `
		0..10  SETNX a -> 1
		0..10  SETNX b -> 0
		20..30 GET -> a`},
	{"a lock is taken twice", "register", Options{}, Violated, `
		0..10  SETNX a -> 1
		0..10  SETNX b -> 1`},
	{"SET NX and XX", "register", Options{}, OK, `
		0..10  SET a XX -> nil
		20..30 SET a NX -> OK
		40..50 SET b NX -> nil
		60..70 SET c XX -> OK
		80..90 GET -> c`},
	{"SET NX over a value", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..30 SET b NX -> OK`},
	{"each replacement hands over what it replaced", "register", Options{}, OK, `
		0..50  GETSET a -> c
		0..50  GETSET b -> a
		0..50  GETSET c -> nil
		60..70 GETDEL -> b
		80..90 GETDEL -> nil`},
	{"two replacements hand over the same", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..50 GETSET b -> a
		20..50 GETSET c -> a`},
	{"a value is taken out twice", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..50 GETDEL -> a
		20..50 GETDEL -> a`},
	{"a read of an unknown write", "register", Options{}, OK, `
		0..10  SET a -> OK
		20..   SET b -> ?
		30..40 GET -> a
		90..95 GET -> b`},
	{"an unknown write is not read before it", "register", Options{}, Violated, `
		30..40 GET -> b
		50..   SET b -> ?`},
	{"an unknown write, read and unread", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..   SET b -> ?
		30..40 GET -> b
		50..60 GET -> a`},
	{"an unknown removal", "register", Options{}, OK, `
		0..10  SET a -> OK
		20..   DEL -> ?
		30..40 GET -> a
		50..60 GET -> nil`},
	{"an unknown removal, taken back", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..   DEL -> ?
		30..40 GET -> nil
		50..60 GET -> a`},
	{"an unknown compare-and-set explains a failed one", "register", Options{}, OK, `
		0..10  SET a -> OK
		20..   SET b IFEQ a -> ?
		30..40 SET c IFEQ a -> nil
		50..60 GET -> b`},
	{"an unseen unknown write explains a failed compare-and-set", "register", Options{}, OK, `
		0..10  SET a -> OK
		20..   SET b -> ?
		30..40 SET c IFEQ a -> nil`},
	{"an unseen unknown write explains a removal", "register", Options{}, OK, `
		0..    SET b -> ?
		30..40 DEL -> 1`},
	{"an unknown read explains nothing", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..   GET -> ?
		30..40 GET -> b`},
	{"SET IFNE", "register", Options{}, OK, `
		0..10  SET a IFNE x -> OK
		20..30 SET b IFNE a -> nil
		40..50 SET c IFNE b -> OK
		60..70 GET -> c`},
	{"SET IFNE of an equal value", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..30 SET b IFNE a -> OK`},
	{"DELEX", "register", Options{}, OK, `
		0..10  DELEX IFNE a -> 0
		20..30 SET a -> OK
		40..50 DELEX IFNE a -> 0
		52..53 DELEX IFEQ b -> 0
		60..70 DELEX IFEQ a -> 1
		80..85 SET a -> OK
		86..87 DELEX IFNE b -> 1
		90..95 GET -> nil`},
	{"DELEX of an equal value", "register", Options{}, Violated, `
		0..10  SET a -> OK
		20..30 DELEX IFNE a -> 1`},
	{"a refused write leaves nothing behind", "register", Options{}, Violated, `
		0..10  SET a -> ERR
		20..30 GET -> a`},
	{"a refused write", "register", Options{}, OK, `
		0..10  SET a -> ERR
		20..30 GET -> nil`},
}

var counterRulings = []ruling{
	{"a counter counts", "counter", Options{}, OK, `
		0..50  INCRBY 2 -> 2
		0..50  INCRBY 3 -> 5
		60..70 DECRBY 4 -> 1
		80..90 GET -> 1`},
	{"a counter that lost an increment", "counter", Options{}, Violated, `
		0..10  INCRBY 1 -> 1
		20..50 INCRBY 1 -> 2
		20..50 INCRBY 1 -> 2`},
	{"an increment that no read shows", "counter", Options{}, Violated, `
		0..10  INCRBY 1 -> 1
		20..30 INCRBY 1 -> 2
		40..50 GET -> 1`},
	{"an unknown increment counts once", "counter", Options{}, OK, `
		0..10  INCRBY 1 -> 1
		20..   INCRBY 5 -> ?
		30..40 GET -> 1
		50..60 GET -> 6`},
	{"an unknown increment counts twice", "counter", Options{}, Violated, `
		0..10  INCRBY 1 -> 1
		20..   INCRBY 5 -> ?
		50..60 GET -> 11`},
	{"an unseen unknown increment matters", "counter", Options{}, OK, `
		0..    INCRBY 5 -> ?
		10..20 INCRBY 1 -> 6`},
	{"a removed counter begins at 0", "counter", Options{}, OK, `
		0..10  INCRBY 7 -> 7
		20..30 DEL -> 1
		40..50 INCRBY 1 -> 1
		60..70 GET -> 1`},
	{"a removed counter goes on", "counter", Options{}, Violated, `
		0..10  INCRBY 7 -> 7
		20..30 DEL -> 1
		40..50 INCRBY 1 -> 8`},
	{"a sum beyond 64 bits", "counter", Options{}, Violated, `
		0..10  INCRBY 9223372036854775807 -> 9223372036854775807
		20..30 INCRBY 1 -> -9223372036854775808`},
	{"an unknown sum beyond 64 bits", "counter", Options{}, OK, `
		0..10  INCRBY 9223372036854775807 -> 9223372036854775807
		20..   INCRBY 1 -> ?
		20..   DECRBY -1 -> ?
		30..40 GET -> 9223372036854775807
		50..60 DECRBY 1 -> 9223372036854775806`},
	{"a counter keeps its deadline", "counter", Options{}, OK, `
		0..0   INCRBY 1 -> 1
		0..0   PEXPIRE 50 -> 1
		20..20 INCRBY 1 -> 2
		60..60 INCRBY 1 -> 1`},
	{"a counter outlives its deadline", "counter", Options{}, Violated, `
		0..0   INCRBY 1 -> 1
		0..0   PEXPIRE 50 -> 1
		20..20 INCRBY 1 -> 2
		60..60 INCRBY 1 -> 3`},
	{"a counter until a moment", "counter", Options{}, OK, `
		0..0   INCRBY 1 -> 1
		5..5   PEXPIREAT 50 -> 1
		60..60 INCRBY 1 -> 1`},
	{"a counter freed of its deadline", "counter", Options{}, OK, `
		0..0   INCRBY 1 -> 1
		0..0   PEXPIRE 50 -> 1
		20..20 PERSIST -> 1
		60..60 INCRBY 1 -> 2`},
}
