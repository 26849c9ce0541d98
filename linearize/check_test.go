package linearize

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestVerdictsOfSeveralKeys(t *testing.T) {
	report := check(t, parse(t, `
		0..10  @fine SET a -> OK
		20..30 @fine GET -> a
		0..10  @stale SET a -> OK
		20..30 @stale GET -> nil
		0..10  @mixed SET a -> OK
		20..30 @mixed INCRBY 1 -> 1
		0..10  @strange LPUSH -> 1
		5..    @fine GET -> ?
		5..    @fine SET unseen -> ?
		5..9   @fine SET b -> ERR
		12..14 CRASH`), Options{})
	if report.Class != Violated {
		t.Errorf("class %s", report.Class)
	}
	var told []string
	for _, v := range report.Keys {
		told = append(told, fmt.Sprintf("%s %s %s", v.Key, v.Class, v.Model))
	}
	want := []string{"fine ok register", "mixed unknown ", "stale violated register", "strange unknown "}
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
	counts := report.Counts
	counts.Steps = 0
	if want := (Counts{Keys: 4, Operations: 10, Reads: 1, Absences: 1, Unknowns: 2, Refused: 1, Idle: 2, Marks: 1, OK: 1, Violated: 1, Undecided: 2}); counts != want {
		t.Errorf("%+v, want %+v", counts, want)
	}
	if reason := report.Keys[1].Reason; reason != "no model covers [incrby set] together" {
		t.Errorf("reason %q", reason)
	}
}

func TestUnknownKeyMakesTheReportUnknown(t *testing.T) {
	report := check(t, parse(t, `
		0..10  @a SET a -> OK
		0..10  @b LPUSH -> 1`), Options{})
	if report.Class != Unknown || len(report.Of(Unknown)) != 1 || len(report.Of(OK)) != 1 {
		t.Errorf("%s, %+v", report.Class, report.Keys)
	}
}

func TestEmptyHistoryIsSeenToBeEmpty(t *testing.T) {
	report := check(t, &History{}, Options{})
	if report.Class != OK || report.Counts != (Counts{}) {
		t.Errorf("%s, %+v", report.Class, report.Counts)
	}
}

func TestKeyWithUnknownOperationsAlone(t *testing.T) {
	report := check(t, parse(t, `0.. INCRBY 1 -> ?`), Options{})
	if report.Class != OK || report.Counts.Unknowns != 1 {
		t.Errorf("%s, %+v", report.Class, report.Counts)
	}
}

func TestViolationNamesItsFacts(t *testing.T) {
	v := check(t, parse(t, `
		0..10  SET a -> OK
		20..30 SET b -> OK
		25..   SETNX x -> ?
		40..50 GET -> a
		60..70 GET -> b`), Options{}).Keys[0]
	var prefix []string
	for i := range v.Prefix {
		prefix = append(prefix, v.Prefix[i].String())
	}
	if want := []string{`SET "a" -> "OK"`, `SET "b" -> "OK"`}; !slices.Equal(prefix, want) {
		t.Errorf("prefix %q, want %q", prefix, want)
	}
	if v.State != `"b"` || v.Blocked == nil || v.Blocked.Client != 3 {
		t.Errorf("state %s, blocked %v", v.State, v.Blocked)
	}
	want := `after 2 of 4 operations the key may hold "b"; GET -> "a" of client 3 cannot follow, nor can another before it`
	if v.Reason != want {
		t.Errorf("%s\nwant %s", v.Reason, want)
	}
}

func TestViolationNamesUnknownOperationsThatTookEffect(t *testing.T) {
	v := check(t, parse(t, `
		0..    SET a -> ?
		20..30 GET -> a
		40..50 GET -> nil`), Options{}).Keys[0]
	if want := `"a", after SET "a" -> ? of client 0`; v.State != want {
		t.Errorf("state %s, want %s", v.State, want)
	}
}

func TestViolationByTheFirstOperation(t *testing.T) {
	v := check(t, parse(t, `0..10 GET -> a`), Options{}).Keys[0]
	if v.Class != Violated || len(v.Prefix) != 0 || v.State != "nothing" || v.Blocked == nil {
		t.Errorf("%+v", v)
	}
}

// TestLimitsRefuse has a legal and an illegal history beyond each limit: neither
// is judged.
func TestLimitsRefuse(t *testing.T) {
	many := func(known, lost int) *History {
		h := &History{}
		for i := range known {
			at := int64(i) * 10
			h.Operations = append(h.Operations, Operation{Key: "k", Kind: IncrBy, Delta: 1, Call: at, Return: at + 5, Outcome: Replied(fmt.Sprint(i + 1))})
		}
		for range lost {
			h.Operations = append(h.Operations, Operation{Key: "k", Kind: IncrBy, Delta: 1, Return: Infinite, Outcome: Outcome{Result: Lost}})
		}
		return h
	}
	for _, row := range []struct {
		known, lost int
		want        Class
		reason      string
	}{
		{200, 0, OK, ""},
		{201, 0, Unknown, "201 operations, of at most 200"},
		{192, 8, OK, ""},
		{193, 8, Unknown, "201 operations, of at most 200"},
		{100, 9, Unknown, "9 operations with unknown outcome, of at most 8"},
	} {
		h := many(row.known, row.lost)
		v := check(t, h, Options{}).Keys[0]
		if v.Class != row.want || v.Reason != row.reason {
			t.Errorf("%d and %d unknown: %s, %q", row.known, row.lost, v.Class, v.Reason)
		}
		h.Operations[1].Outcome = Replied("7")
		want := row.want
		if want == OK {
			want = Violated
		}
		if class := check(t, h, Options{}).Class; class != want {
			t.Errorf("%d and %d unknown, spoilt: %s, want %s", row.known, row.lost, class, want)
		}
	}
	if class := check(t, many(10, 65), Options{Limits: Limits{Unknowns: 1000}}).Class; class != Unknown {
		t.Errorf("65 unknowns: %s", class)
	}
}

// TestMarksCountAsOperations leaves marks out that nobody can have noticed.
func TestMarksCountAsOperations(t *testing.T) {
	script := `
		0..10  SET a -> OK
		20..30 WIPE
		40..50 GET -> nil
		60..70 WIPE`
	o := Options{Wipes: true, Limits: Limits{Operations: 3}}
	if v := check(t, parse(t, script), o).Keys[0]; v.Class != OK {
		t.Errorf("%s: %s", v.Class, v.Reason)
	}
	o.Limits.Operations = 2
	if v := check(t, parse(t, script), o).Keys[0]; v.Class != Unknown {
		t.Errorf("%s: %s", v.Class, v.Reason)
	}
}

func TestInputThatContradictsItself(t *testing.T) {
	good := Operation{Key: "k", Kind: Get, Call: 5, Return: 6, Outcome: replyNull}
	for name, spoil := range map[string]func(*Operation){
		"no kind":               func(o *Operation) { o.Kind = "" },
		"no outcome":            func(o *Operation) { o.Outcome = Outcome{} },
		"return before call":    func(o *Operation) { o.Return = 4 },
		"call before time":      func(o *Operation) { o.Call = -1 },
		"return out of range":   func(o *Operation) { o.Return = MaxTime + 1 },
		"known, never returned": func(o *Operation) { o.Return = Infinite },
		"unknown, yet returned": func(o *Operation) { o.Outcome.Result = Lost },
		"null with a reply":     func(o *Operation) { o.Outcome.Text = "x" },
		"condition":             func(o *Operation) { o.If = "maybe" },
		"negative lifetime":     func(o *Operation) { o.Life = -1 },
		"lifetime out of range": func(o *Operation) { o.Life = MaxTime + 1 },
		"deadline kept and set": func(o *Operation) { o.Life, o.Keep = 1, true },
		"unknown call too late": func(o *Operation) {
			*o = Operation{Kind: Get, Call: MaxTime + 1, Return: Infinite, Outcome: Outcome{Result: Lost}}
		},
		"negative of PEXPIRE":    func(o *Operation) { o.Kind, o.Life = PExpire, -MaxTime-1 },
		"deadline out of range":  func(o *Operation) { o.At = -1 },
		"deadline set twice":     func(o *Operation) { o.Life, o.At = 1, 1 },
		"negative place":         func(o *Operation) { o.Place = -1 },
		"unknown command":        func(o *Operation) { o.Kind, o.Value = Batch, "get a;incr a" },
		"too few arguments":      func(o *Operation) { o.Kind, o.Value = Batch, "set a" },
		"odd arguments":          func(o *Operation) { o.Kind, o.Value = Batch, "mset a 1 b" },
		"a name that ends one":   func(o *Operation) { o.Kind, o.Value = Batch, "get a|b" },
		"name of a watch":        func(o *Operation) { o.Kind, o.Value, o.Old = Watch, "a", "w:" },
		"unknown outcome's name": func(o *Operation) { o.Outcome.Result = "maybe" },
	} {
		bad := good
		spoil(&bad)
		if _, err := Check(&History{Operations: []Operation{good, bad}}, Options{}); err == nil || !strings.Contains(err.Error(), "operation 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, mark := range []Mark{{From: 1, To: 2}, {Kind: Wipe, From: 2, To: 1}, {Kind: ClockJump, By: MaxTime + 1}, {Kind: ClockJump, By: -MaxTime - 1}} {
		if _, err := Check(&History{Marks: []Mark{mark}}, Options{}); err == nil {
			t.Errorf("%+v: no error", mark)
		}
	}
	for _, clock := range []Clock{{Drift: -1}, {Drift: maxDrift + 1}, {Skew: -1}, {Skew: MaxTime + 1}} {
		if _, err := Check(&History{}, Options{Clock: clock}); err == nil {
			t.Errorf("%+v: no error", clock)
		}
	}
}

// TestLinesThatContradictThemselves has an answer behind one that did not come.
func TestLinesThatContradictThemselves(t *testing.T) {
	h := parse(t, `
		0..5 %1:2 SET b -> OK
		0..  %1:1 SET a -> ?`)
	if _, err := Check(h, Options{}); err == nil || !strings.Contains(err.Error(), "operation 0") {
		t.Errorf("%v", err)
	}
	h.Operations[1].Client++
	check(t, h, Options{})
	far := &History{Marks: []Mark{{Kind: ClockJump, By: MaxTime}, {Kind: ClockJump, By: -1}}}
	if _, err := Check(far, Options{}); err == nil || !strings.Contains(err.Error(), "mark 1") {
		t.Errorf("jumps: %v", err)
	}
}

func TestTimesAtTheirBounds(t *testing.T) {
	h := parse(t, fmt.Sprintf(`
		0..%[1]d SET a PX %[1]d -> OK
		0..      PEXPIRE %[1]d -> ?
		%[1]d..%[1]d GET -> a`, MaxTime))
	for _, clock := range []Clock{{}, {Drift: maxDrift, Skew: MaxTime}} {
		if report := check(t, h, Options{Clock: clock}); report.Class != OK {
			t.Errorf("%+v: %s", clock, report.Keys[0].Reason)
		}
	}
}

// TestWindowIsOutside compares with exact fractions: never too narrow, and by
// less than a nanosecond too wide.
func TestWindowIsOutside(t *testing.T) {
	for _, c := range []Clock{{}, {Drift: 1}, {Drift: 200}, {Drift: 333_333, Skew: 7}, {Drift: maxDrift, Skew: 1000}} {
		for _, life := range []int64{-3 * c.Skew, 0, 1, 2, 3, 999, 1_000_000, 1_000_003} {
			least, most := c.window(life)
			if life+c.Skew < 0 {
				if least != 0 || most != -1 {
					t.Errorf("%+v, life %d: %d..%d, and it is over", c, life, least, most)
				}
				continue
			}
			short, long := max(0, life-c.Skew)*million, (life+c.Skew)*million
			fast, slow := million+c.Drift, million-c.Drift
			if least*fast > short || (least+1)*fast <= short || most*slow < long || (most-1)*slow >= long {
				t.Errorf("%+v, life %d: %d..%d", c, life, least, most)
			}
		}
	}
}

func TestReportsAreDeterministic(t *testing.T) {
	h := crowd(3, []Kind{Set, Get, GetSet, Del}, 60, 4, true)
	var first []byte
	var verdict Verdict
	for i := range 5 {
		again := &History{Operations: slices.Clone(h.Operations)}
		report := check(t, again, Options{})
		var page bytes.Buffer
		if err := report.Picture(&page, "k"); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first, verdict = page.Bytes(), report.Keys[0]
		}
		if !bytes.Equal(first, page.Bytes()) || !reflect.DeepEqual(verdict, report.Keys[0]) {
			t.Fatalf("run %d differs from the first", i)
		}
	}
}

// TestTiesAreBrokenAlike has two orders of one length, which porcupine gives in
// the order of a map.
func TestTiesAreBrokenAlike(t *testing.T) {
	h := parse(t, `
		0..10 SETNX a -> 1
		0..10 SETNX b -> 1`)
	var page string
	for i := range 30 {
		report := check(t, h, Options{})
		if v := report.Keys[0]; v.State != `"a"` || v.Blocked.Client != 1 {
			t.Fatalf("run %d: %s", i, v.Reason)
		}
		drawn, _ := draw(t, report, "k")
		if i > 0 && drawn != page {
			t.Fatalf("run %d: another picture", i)
		}
		page = drawn
	}
}
