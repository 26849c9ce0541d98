package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/play"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim/wasm"
)

// hostile is text that would be markup, or end what it stands in.
const hostile = `</script><script src="http://evil.example/x.js">alert(1)</script>"'><img src=x onerror=alert(1)>` + "\u2028\x00\xff{{.}}"

const second = int64(1_000_000_000)

// failed is a run of three nodes and two clients in which much happened, with hostile
// text wherever a run may have text.
func failed() (*play.Result, *Log) {
	p := plan.Draw(7, plan.Options{Nodes: 3, Shards: 1, Clients: 2, Faults: []string{}, Workload: "register"})
	p.Spares, p.Events = 0, []fault.Event{
		{At: 4000, Fault: "pause", Node: 1, For: 2500}, {At: 5000, Fault: "partition", Node: 0, For: 1000}, {At: 9000, Fault: "crash", Node: 2, For: 500},
	}
	life := func(node, n int) judge.Life { return judge.Life{Node: node, Life: n} }
	stands := func(node int, at int64, role wasm.Role, term uint64, ends int64) judge.Standing {
		return judge.Standing{Life: life(node, 1), Standing: wasm.Standing{At: at, Role: role, Term: term, Epoch: 4, Ends: ends}}
	}
	e := &judge.Evidence{
		History: &linearize.History{Operations: []linearize.Operation{
			{Client: 1, Key: hostile, Kind: linearize.Set, Value: hostile, Call: second, Return: 2 * second, Outcome: linearize.Replied("OK")},
			{Client: 2, Key: hostile, Kind: linearize.Get, Call: 6 * second, Return: 7 * second, Outcome: linearize.Replied("other" + hostile)},
			{Client: 2, Key: "k", Kind: linearize.Set, Value: "v", Call: 8 * second, Return: linearize.Infinite, Outcome: linearize.Outcome{Result: linearize.Lost}},
			{Client: 1, Key: "k", Kind: linearize.Get, Call: 8 * second, Return: 9 * second, Outcome: linearize.Outcome{Result: linearize.Refused, Text: hostile}},
		}},
		Standings: []judge.Standing{
			stands(0, second, wasm.Candidate, 2, 0), stands(0, 2*second, wasm.Leader, 2, 4*second), stands(0, 3*second, wasm.Leader, 2, 6*second),
			stands(0, 8*second, wasm.Follower, 3, 10*second), stands(2, 2*second, wasm.Follower, 2, 20*second),
		},
		Spans: []judge.Span{
			{Life: life(0, 1), To: 12 * second}, {Life: life(1, 1), To: 12 * second}, {Life: life(2, 1), To: 9 * second, How: hostile},
			{Life: life(2, 2), From: 10 * second, To: 12 * second},
		},
		Faults: []judge.Fault{
			{Event: p.Events[0], From: 4 * second, To: 6*second + second/2, Seen: 5 * second}, {Event: p.Events[1], From: 5 * second, To: 6 * second},
		},
		Nodes:   []judge.Node{{Host: "10.0.0.1"}, {Host: "10.0.0.2"}, {Host: "10.0.0.3"}},
		Clients: make([]judge.Client, 2), Healed: 10 * second, Ended: 12 * second,
	}
	r := &play.Result{Plan: p, Trace: 0xbeef, Virtual: 12 * second, Evidence: e, Checks: map[string]int{"lease": 3}}
	r.Class, r.Findings = judge.Safety, []judge.Finding{
		{Judge: "lease", Class: judge.Safety, Text: "slot 7: node 1 answers at 6500000000, while the lease of node 0 lasts until 6600000000" + hostile},
		{Judge: "exits", Class: judge.Crash, Text: "node 2 ended at 9000000000: " + hostile + "\npanic: " + hostile},
		{Judge: "linearizable", Class: judge.Consistency, Text: "key " + fmt.Sprintf("%q", hostile)},
	}
	log := &Log{}
	for i, h := range []play.Happening{
		{Kind: play.Sent, Who: "client 2", With: "node 1", Text: hostile, Message: 1}, {Kind: play.Arrived, Who: "node 1", With: "client 2", Text: hostile, Message: 1},
		{Kind: play.Says, Who: "node 0", Text: hostile, Notable: true},
	} {
		h.Step, h.At = int64(i), second*int64(6+i)
		log.Add(&h)
	}
	return r, log
}

// drawn is the page of a run.
func drawn(t *testing.T, r *play.Result, log *Log) string {
	t.Helper()
	var out bytes.Buffer
	about := About{Replay: "ironcache sim replay '" + hostile + "'", Module: "cafe" + hostile, Commit: "c0ffee" + hostile, Mutant: "m" + hostile}
	if err := Page(&out, about, r, log); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// element is one of a page, with its attributes and its text.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

// programs are the parts of a page that are no markup.
var programs = regexp.MustCompile(`(?s)<(script|style)([^>]*)>(.*?)</(script|style)>`)

// elements takes a page apart, which must be well formed: every element that is
// opened is closed, in order.
func elements(t *testing.T, page string) (list []element) {
	t.Helper()
	for _, m := range programs.FindAllStringSubmatch(page, -1) {
		list = append(list, element{name: m[1] + m[2], text: m[3]})
	}
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(programs.ReplaceAllString(page, ""), "<!DOCTYPE html>")))
	d.Entity = xml.HTMLEntity
	var open []int
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return list
		case err != nil:
			t.Fatalf("the page is not well formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			one := element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				one.attrs[a.Name.Local] = a.Value
			}
			open, list = append(open, len(list)), append(list, one)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, i := range open {
				list[i].text += string(token)
			}
		}
	}
}

// shown is what a page shows of hostile text: bytes that are no text are replaced.
var shown = strings.NewReplacer("\x00", "\ufffd", "\xff", "\ufffd")

// The page has a lane for each node and each client, and all else that a reader needs,
// and nothing in it is fetched from elsewhere.
func TestPage(t *testing.T) {
	r, log := failed()
	list := elements(t, strings.ReplaceAll(drawn(t, r, log), "\xff", "?"))
	lanes, pictures, texts := map[string]int{}, 0, ""
	for _, e := range list {
		if lane := e.attrs["data-lane"]; lane != "" {
			lanes[lane+e.attrs["data-index"]]++
		}
		if e.name == "body" {
			texts = e.text
		}
		if page := e.attrs["data-page"]; e.name == "iframe" {
			pictures++
			if !strings.Contains(page, "<svg") && !strings.Contains(page, "render(data)") || e.attrs["sandbox"] != "allow-scripts" {
				t.Errorf("the picture of a key: %.200s", page)
			}
		}
		for name, value := range e.attrs {
			if name == "src" || name == "srcset" || name == "data" || strings.HasPrefix(name, "on") || name == "href" && !strings.HasPrefix(value, "#") {
				t.Errorf("%s has %s=%q", e.name, name, value)
			}
		}
		switch e.name {
		case "link", "img", "object", "embed", "base", "form":
			t.Errorf("the page has an element %s: %v", e.name, e.attrs)
		}
	}
	for _, lane := range []string{"overview", "axis", "node0", "node1", "node2", "density", "client0", "client1"} {
		if lanes[lane] != 1 {
			t.Errorf("%d lanes %s", lanes[lane], lane)
		}
	}
	if len(lanes) != 8 || pictures != 1 {
		t.Errorf("lanes %v, %d pictures", lanes, pictures)
	}
	for _, want := range []string{
		"Nodes did something that they must never do", "judge lease asks", "slot 7: node 1 answers at 6.500000 s, while the lease of node 0 lasts until 6.600000 s",
		"ironcache sim replay", "cafe", "c0ffee", "10.0.0.2", "A node stands still for a while", "the run ended before", "no effect",
		"000000000000beef", "wrong on purpose", "panic: ", "linearizable", "Raft counts its leaders", shown.Replace(hostile),
	} {
		if !strings.Contains(texts, strings.ReplaceAll(want, "\ufffd{{", "?{{")) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// No text of a run is markup or program: every script and every element is the
// layout's own.
func TestPageEscapes(t *testing.T) {
	r, log := failed()
	page := drawn(t, r, log)
	found := programs.FindAllStringSubmatch(page, -1)
	if len(found) != 3 || found[0][3] != style || found[2][3] != script {
		t.Fatalf("%d scripts and styles", len(found))
	}
	var s story
	if err := json.Unmarshal([]byte(found[1][3]), &s); err != nil {
		t.Fatal(err)
	}
	if want := strings.ToValidUTF8(hostile, "\ufffd"); s.Rows[0].Text != want || s.Rows[0].Message != 1 {
		t.Errorf("a line of the log: %+v", s.Rows[0])
	}
	for _, never := range []string{"<img", "src=\"http", "<script src", "onerror=alert(1)>\""} {
		if strings.Contains(page, never) {
			t.Errorf("the page has %s", never)
		}
	}
	for _, kind := range []string{"@import", "url(", "fetch(", "XMLHttpRequest", "WebSocket", "innerHTML", "http:", "https:"} {
		if strings.Contains(style+script, kind) {
			t.Errorf("the program of the page has %s", kind)
		}
	}
}

// Equal runs give equal pages.
func TestPageIsTheSame(t *testing.T) {
	r, log := failed()
	again, other := failed()
	if drawn(t, r, log) != drawn(t, again, other) {
		t.Error("two pages of one run differ")
	}
}

// The page's program is one: Node.js reads it, where there is one.
func TestProgramIsRead(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	check := exec.Command(node, "--check", "-")
	check.Stdin = strings.NewReader(script)
	if text, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, text)
	}
}
