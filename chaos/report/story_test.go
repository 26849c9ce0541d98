package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/linearize"
)

// A node's lane has what it was, when it held its lease, which is renewed before it
// ends or not, and when it was down.
func TestStoryOfNode(t *testing.T) {
	r, log := failed()
	s := tell(r, log, nil)
	a, c := s.Nodes[0], s.Nodes[2]
	roles := []span{
		{0, second, "starting", ""}, {second, 2 * second, "candidate", "term 2"}, {2 * second, 8 * second, "leader", "term 2"},
		{8 * second, 12 * second, "follower", "term 3"},
	}
	leases := []span{{2 * second, 6 * second, "lease", ""}, {8 * second, 10 * second, "lease", ""}}
	if !reflect.DeepEqual(a.Roles, roles) || !reflect.DeepEqual(a.Leases, leases) || !reflect.DeepEqual(a.Epochs, []mark{{second, "epoch 4"}}) {
		t.Errorf("node 0: %+v", a)
	}
	if len(a.Faults) != 1 || a.Faults[0].Is != "partition" || a.Faults[0].Family != "network" || !strings.Contains(a.Faults[0].Text, "not seen") {
		t.Errorf("faults of node 0: %+v", a.Faults)
	}
	if want := []span{{2 * second, 9 * second, "lease", ""}}; !reflect.DeepEqual(c.Leases, want) || len(c.Spans) != 2 || c.Spans[0].Text != hostile {
		t.Errorf("node 2, whose life ended before its lease did: %+v", c)
	}
	if want := []int64{6_500_000_000, 6_600_000_000}; len(s.Marks) != 2 || s.Marks[0].At != want[0] || s.Marks[1].At != want[1] || s.Focus != want[0] {
		t.Errorf("marks %+v, focus %d", s.Marks, s.Focus)
	}
}

// A client's lane has what became of each operation, and marks those that cannot be
// explained.
func TestStoryOfClients(t *testing.T) {
	r, log := failed()
	report, err := r.Report()
	if err != nil {
		t.Fatal(err)
	}
	s := tell(r, log, report.Of(linearize.Violated))
	got := []string{}
	for client, ops := range s.Ops {
		for _, o := range ops {
			got = append(got, fmt.Sprintf("%d %s %d %v", client, o.Is, o.Return/second, o.Named))
		}
	}
	want := []string{"0 ok 2 false", "0 refused 9 false", "1 ok 7 true", "1 unknown 0 false"}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The moment of a failure that clients saw is that of the operation that cannot be
// explained; that of one without a time is the end.
func TestFocus(t *testing.T) {
	r, _ := failed()
	report, err := r.Report()
	if err != nil {
		t.Fatal(err)
	}
	violated := report.Of(linearize.Violated)
	r.Class = judge.Consistency
	if at := focus(r, violated); at != 6*second {
		t.Errorf("the focus is at %d", at)
	}
	r.Class, r.Findings = judge.Liveness, []judge.Finding{{Judge: "stuck", Class: judge.Liveness, Text: "client 1 waits"}}
	if at := focus(r, nil); at != r.Virtual {
		t.Errorf("the focus is at %d", at)
	}
}

// The operations that a judge means are those at its moment, of its client or its slots.
func TestNames(t *testing.T) {
	o := &linearize.Operation{Client: 3, Key: "k", Call: 5 * second, Return: 7 * second} // of slot 7629
	for text, want := range map[string]bool{
		"slot 7629: node 1 answers at 6000000000":                     true,
		"node 1 answers for slots [5 7629] at 6000000000, and has no": true,
		"node 1 answers for slots [5 762] at 6000000000, and has no":  false,
		"slot 7629: node 1 answers at 8000000000":                     false,
		"client 3 at 6000000000, get k: odd":                          true,
		"client 33 at 6000000000, get k: odd":                         false,
		"node 1 ended at 6000000000":                                  false,
	} {
		if got := names(text, o); got != want {
			t.Errorf("%q names it: %v", text, got)
		}
	}
}

// A sentence without a time, of an entry of the log, is about when that was applied.
func TestFocusOfEntry(t *testing.T) {
	r, _ := failed()
	for i, node := range []int{0, 1, 1} {
		a := judge.Applied{Life: judge.Life{Node: node}}
		a.At, a.Index = second*int64(3+i), uint64(11+i/2)
		r.Evidence.Applied = append(r.Evidence.Applied, a)
	}
	for text, want := range map[string]int64{
		"node 1 (life 1) applies entry 12 of term 3": 5 * second,
		"entry 11 is of term 2 (ab) on node 1":       4 * second,
		"entry 13 is of term 2 (ab) on node 1":       r.Virtual,
	} {
		r.Class, r.Findings = judge.Safety, []judge.Finding{{Judge: "log", Class: judge.Safety, Text: text}}
		if at := focus(r, nil); at != want {
			t.Errorf("%q: %d", text, at)
		}
	}
}

func TestPieces(t *testing.T) {
	for text, want := range map[string][]piece{
		"nothing":                                {{"nothing", 0}},
		"answers at 12345678901, and 99":         {{"answers at ", 0}, {"12345678901", 12345678901}, {", and 99", 0}},
		"from 1762165868..1762571733 on":         {{"from ", 0}, {"1762165868", 1762165868}, {"..", 0}, {"1762571733", 1762571733}, {" on", 0}},
		"for 1590000000ns, at 5, entry 12345678": {{"for 1590000000ns, at 5, entry 12345678", 0}},
		"until 99999999999999999999":             {{"until 99999999999999999999", 0}},
	} {
		if got := pieces(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// A log that is too long keeps what is notable and what is nearest to the failure, in
// the order of time, and says so.
func TestLogIsCut(t *testing.T) {
	log := &Log{}
	for i := range int64(1000) {
		log.Add(&play.Happening{At: 1000 - i, Text: fmt.Sprint(1000 - i), Notable: i%100 == 0})
	}
	lines, said := log.cut(60, 500)
	if len(lines) != 60 || !strings.HasPrefix(said, "60 of 1000 lines: ") {
		t.Fatalf("%d lines: %q", len(lines), said)
	}
	notable := 0
	for i, h := range lines {
		if i > 0 && h.At < lines[i-1].At {
			t.Errorf("line %d is at %d, the one before at %d", i, h.At, lines[i-1].At)
		}
		if h.Notable {
			notable++
		} else if h.At < 470 || h.At > 530 {
			t.Errorf("a line at %d is kept", h.At)
		}
	}
	if notable != 10 {
		t.Errorf("%d notable lines", notable)
	}
	if lines, said = log.cut(1000, 500); len(lines) != 1000 || said != "" {
		t.Errorf("%d lines, %q", len(lines), said)
	}
	var out strings.Builder
	if err := log.Write(&out); err != nil || strings.Count(out.String(), "\n") != 1000 {
		t.Errorf("%v: %d bytes", err, out.Len())
	}
}

// Each class is explained, and each fault has a colour that the style sheet knows.
func TestMeans(t *testing.T) {
	for _, class := range judge.Classes {
		if means[class] == "" {
			t.Errorf("class %s is not explained", class)
		}
	}
	for _, f := range fault.Table {
		if name := family(f.Name); !strings.Contains(style, `[data-family="`+name+`"]`) || !strings.Contains(style, "--"+name+":") {
			t.Errorf("fault %s: the style sheet has no %q", f.Name, name)
		}
	}
	for name, want := range map[string]string{"disk-full": "disk", "crash-at-call": "crash", "pause": "pause", "clock-jump": "clock", "half-partition": "network", "slow-network": "network", "move-range": "cluster", "strange": "other"} {
		if got := family(name); got != want {
			t.Errorf("%s is of the family %s", name, got)
		}
	}
}

// What is printed has its times in seconds, and nothing else is changed.
func TestReadable(t *testing.T) {
	for text, want := range map[string]string{
		"slot 7: node 1 answers at 6500000000, while the lease lasts until 6600000001": "slot 7: node 1 answers at 6.500000 s, while the lease lasts until 6.600000 s",
		"node 2 does not serve its slots by 38000000000, 20000000000 ns after all":     "node 2 does not serve its slots by 38.000000 s, 20.000000 s after all",
		"client 1 at 12345678..23456789 GET 99999999":                                  "client 1 at 0.012346 s..0.023457 s GET 99999999",
		`may hold "3-51" for 1734000000ns from 4130527000..4131679000;`:                `may hold "3-51" for 1.734000 s from 4.130527 s..4.131679 s;`,
		"two runs have the traces 0000000000000001 and 2":                              "two runs have the traces 0000000000000001 and 2",
	} {
		if got := Readable(text); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}
