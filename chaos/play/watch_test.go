package play

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/sim"
	"github.com/elares/ironcache/sim/wasm"
)

// eventful has a fault of each kind that a reader sees best.
func eventful() *plan.Plan {
	p := plan.Draw(3, plan.Options{Nodes: 3, Shards: 1, Faults: []string{}, Workload: "register", Seconds: 14})
	p.Events = []fault.Event{
		{At: 4000, Fault: "crash", Node: 0, For: 1500}, {At: 6000, Fault: "partition", Node: 1, For: 1500},
		{At: 8000, Fault: "disk-full", Node: 2, For: 300},
	}
	return p
}

// All that happens is told in words, of every kind, and each message that arrives was
// sent.
func TestWatchTellsAll(t *testing.T) {
	m, p := module(t), eventful()
	kinds, sent, arrived := map[Kind]int{}, map[uint64]string{}, 0
	renewals := 0
	r := Run(p, m, Options{Watch: func(h *Happening) {
		kinds[h.Kind]++
		if h.Text == "" || h.Who == "" {
			t.Errorf("happened: %s", h)
		}
		switch h.Kind {
		case Sent:
			sent[h.Message] = h.Text
			if strings.HasPrefix(h.Text, calls['r']) {
				renewals++
			}
		case Arrived:
			arrived++
			if text := sent[h.Message]; h.Text != text && h.Text != lost && !strings.HasPrefix(text, h.Text+" (held") {
				t.Errorf("arrived %q, sent %q", h.Text, text)
			}
		}
	}})
	for _, k := range Kinds {
		if kinds[k.Kind] == 0 {
			t.Errorf("nothing of the kind %s happened: %s", k.Kind, k.Means)
		}
	}
	if renewals == 0 {
		t.Error("no call of a node is told in words")
	}
	if len(kinds) != len(Kinds) || arrived < len(sent)/2 {
		t.Errorf("kinds %v; %d messages, of which %d arrived", kinds, len(sent), arrived)
	}
	readers(t, r)
}

// readers looks at what a run leaves behind for those who read about it.
func readers(t *testing.T, r *Result) {
	e := r.Evidence
	if len(e.Faults) != 3 || e.Faults[0].From != 4000*million || e.Faults[0].To < e.Faults[0].From+1500*million || e.Faults[0].Seen == 0 {
		t.Errorf("faults: %+v", e.Faults)
	}
	if len(e.Spans) < 4 || e.Spans[0].To > 4001*million || e.Spans[0].How == "" || e.Spans[3].Node != 0 || e.Spans[3].From < 5000*million || e.Spans[3].How != "" {
		t.Errorf("lives: %+v", e.Spans)
	}
	led, held, epoch := false, false, uint64(0)
	for _, s := range e.Standings {
		led = led || s.Role == wasm.Leader && s.Term > 1
		held = held || s.Ends > s.At
		epoch = max(epoch, s.Epoch)
	}
	if !led || !held || epoch == 0 {
		t.Errorf("somebody led: %v, held a lease: %v, the map's epoch is %d", led, held, epoch)
	}
}

// watching is a watcher of one node.
func watching() *watcher {
	return &watcher{begun: map[way][]byte{}, names: map[string]string{"10.0.0.1": "node 0"}}
}

func TestDescribe(t *testing.T) {
	vote := "\x01\x89\xa9RPCHeader\x80\xa4Term\x07\xa9Candidate\xa2xy\xacLastLogIndex\xcd\x01\x02\xabLastLogTerm\x06"
	for _, c := range []struct{ port, text, want string }{
		{"6379", "*2\r\n$3\r\nget\r\n$1\r\nk\r\n", "get k"},
		{"6379", "*1\r\n$6\r\nasking\r\n*3\r\n$3\r\nset\r\n$3\r\na b\r\n$2\r\n\r\n\r\n", `asking; set "a b" "\r\n"`},
		{"c", "+OK\r\n:7\r\n", "replies OK; replies 7"},
		{"c", "$2\r\na\"\r\n", `replies "a\""`},
		{"c", "$-1\r\n", "replies nothing"},
		{"c", "-MOVED 7 10.0.0.1:6379\r\n", `replies "MOVED 7 10.0.0.1:6379"`},
		{"6379", "*2\r\n$3\r\nge", "10 bytes, the beginning of something"},
		{"c", ":7\r\n:8", "replies 7; and 2 bytes, the beginning of something"},
		{"c", "$x\r\n", `4 bytes: "$x\r\n"`},
		{"c", "*3\r\n$1\r\na\r\n$-1\r\n*1\r\n:5\r\n", `replies ["a" nothing [5]]`},
		{"c", "%1\r\n+k\r\n_\r\n#t\r\n", "replies [k nothing]; replies t"},
		{"c", "*2\r\n:1\r\n", "8 bytes, the beginning of something"},
		{"c", strings.Repeat("*1\r\n", 50), `200 bytes: "` + strings.Repeat(`*1\r\n`, 40) + `"...`},
		{"c", "$9223372036854775807\r\nx", `23 bytes: "$9223372036854775807\r\nx"`},
		{"6379", ":7\r\n", `4 bytes: ":7\r\n"`},
		{"16379", "r\x00\x00\x00\x07\x00\x00\x00\x02{}", "asks the leader for its lease to be renewed {}"},
		{"16379", "y\x00\x00\x00\x01\x00\x00\x00\x02{}", "asks the owner of a slot to hand it over {}"},
		{"16379", "r\x00\x00\x00\x07\x00\x00\x00\x03{}", `11 bytes: "r\x00\x00\x00\a\x00\x00\x00\x03{}"`},
		{"16379", "ICBUS\x00\x01\n-----", "greets, and proves that it knows the cluster's secret, 13 bytes"},
		{"16379", "\x00\x87\xa4Term\x03\xacPrevLogEntry\x00\xa7Entries\xc0", "heartbeat of the leader of term 3"},
		{"16379", "\x00\x87\xa4Term\x03\xacPrevLogEntry\x11\xa7Entries\x91\xb1LeaderCommitIndex\xcc\xf0", "append entries, term 3, after entry 17; 240 is committed; 51 bytes"},
		{"16379", "\xa0\x85\xa4Term\x03\xa7LastLog\x11\xa7Success\xc3\xaeNoRetryBackoff\xc2", "append entries: yes, term 3, the last entry here is 17"},
		{"16379", vote, "asks for a vote in term 7; its last entry is 258"},
		{"16379", vote[:12], "message of Raft, or a part of one, 12 bytes"},
		{"16379", "\xa0\x83\xa4Term\x07\xa7Granted\xc2", "vote: no, term 7"},
	} {
		w, to := watching(), "10.0.0.1"
		if c.port == "c" {
			c.port, to = "6379", "10.9.0.1"
		}
		if got := w.describe(&sim.Passage{Route: sim.Route{To: to, Port: c.port}, Text: []byte(c.text)}); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
	w := watching()
	long := w.describe(&sim.Passage{Route: sim.Route{To: "10.0.0.1", Port: "6379"}, Text: []byte(strings.Repeat("x", 5000))})
	if len(long) > 4*mostShown {
		t.Errorf("a long message takes %d bytes: %s", len(long), long)
	}
}

// Who connects is told by where from.
func TestNames(t *testing.T) {
	w := watching()
	for host, want := range map[string]string{"10.0.0.1": "node 0", "10.9.0.12": "client 12", "10.9.1.1": "probe", fault.ScriptHost: "operator"} {
		if got := w.name(host); got != want {
			t.Errorf("%s is %s, want %s", host, got, want)
		}
	}
}

// There are words for every kind of call that nodes make.
func TestCallsHaveWords(t *testing.T) {
	text, err := os.ReadFile("../../raftlog/calls.go")
	if err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`callKind = '(.)'`).FindAllSubmatch(text, -1)
	for _, kind := range kinds {
		if calls[kind[1][0]] == "" {
			t.Errorf("there are no words for a call of kind %q", kind[1])
		}
	}
	if len(kinds) < 6 {
		t.Errorf("%d kinds of calls", len(kinds))
	}
}

// What is sent in pieces is told of when it is whole, each way of each connection by
// itself.
func TestDescribePieces(t *testing.T) {
	w, got := watching(), []string{}
	for _, p := range []struct {
		link       uint64
		from, text string
	}{
		{1, "a", "*2\r\n$3\r\nget\r\n$"}, {2, "b", "+O"}, {1, "b", "$-1"}, {1, "a", "1\r\nk\r\n*1\r\n"}, {2, "b", "K\r\n"}, {1, "b", "\r\n"},
		{1, "a", "$4\r\nping\r\n"},
	} {
		to := map[string]string{"a": "10.0.0.1", "b": "10.9.0.1"}[p.from]
		got = append(got, w.describe(&sim.Passage{Link: p.link, Route: sim.Route{From: p.from, To: to, Port: "6379"}, Text: []byte(p.text)}))
	}
	want := []string{
		"14 bytes, the beginning of something", "2 bytes, the beginning of something", "3 bytes, the beginning of something",
		"get k; and 4 bytes, the beginning of something", "replies OK", "replies nothing", "ping",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
