package judge

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/sim/wasm"
)

// good is evidence that no judge minds, with something to check for each.
func good() *Evidence {
	a, b := Life{0, 1}, Life{0, 2}
	return &Evidence{
		History: &linearize.History{Operations: []linearize.Operation{
			{Client: 1, Key: "k", Kind: linearize.Set, Value: "v", Call: 1, Return: 2, Outcome: linearize.Replied("OK")},
			{Client: 1, Key: "k", Kind: linearize.Get, Call: 3, Return: 4, Outcome: linearize.Replied("v")},
		}},
		Fences: []Fence{
			{a, wasm.Fencing{At: 100, Slots: []uint16{7}, Epochs: []uint64{5}, Ends: 200, Released: true}},
			{a, wasm.Fencing{At: 110, Slots: []uint16{7}, Epochs: []uint64{5}, Ends: 210, Released: true}},
			{a, wasm.Fencing{At: 220, Slots: []uint16{7}, Epochs: []uint64{5}, Ends: 210}},
			{b, wasm.Fencing{At: 300, Slots: []uint16{7}, Epochs: []uint64{9}, Ends: 400, Released: true}},
		},
		Applied: []Applied{
			{a, wasm.Applying{Index: 4, Term: 2, Entry: 11, State: 21}},
			{a, wasm.Applying{Index: 6, Term: 3, Entry: 12, State: 22}},
			{Life{1, 1}, wasm.Applying{Index: 4, Term: 2, Entry: 11, State: 21}},
		},
		Leads: []Lead{{Life{1, 1}, wasm.Leading{At: 100, Term: 3, Covered: 2, Log: []wasm.Held{
			{Index: 3, Term: 1, Entry: 10}, {Index: 4, Term: 2, Entry: 11}, {Index: 5, Term: 3, Entry: 13},
		}}}},
		Standings: []Standing{
			{a, wasm.Standing{Term: 2}}, {a, wasm.Standing{Term: 3, Voted: 3}}, {Life{1, 1}, wasm.Standing{Term: 4, Voted: 4}},
			{b, wasm.Standing{Term: 3, Voted: 3, Kept: 6}}, {b, wasm.Standing{Term: 5, Voted: 3, Kept: 6}},
		},
		Exits:   []Exit{{Life: a, At: 250, Why: "its disk failed", Shaken: true}},
		Nodes:   []Node{{Served: 1100, Lives: 2, Memory: 100 << 20, Ledger: 1000, Disk: 1 << 20, Files: 7}, {Spoiled: true}, {Spare: true}},
		Clients: []Client{{Answered: calm * 2, Silent: 900}},
		Healed:  1000, Served: 2000, Ended: calm * 2,
	}
}

// importing has two nodes import the slot, by two migrations.
func importing(e *Evidence, first, second uint64) {
	e.Fences = append(e.Fences,
		Fence{Life{1, 1}, wasm.Fencing{At: 104, Slots: []uint16{7}, Epochs: []uint64{door.Importing | first}, Ends: 205, Released: true}},
		Fence{Life{2, 1}, wasm.Fencing{At: 105, Slots: []uint16{7}, Epochs: []uint64{door.Importing | second}, Ends: 205, Released: true}})
}

// An owner and the node that imports from it answer side by side.
func TestImporterBesideTheOwner(t *testing.T) {
	e := good()
	e.Fences = append(e.Fences, Fence{Life{1, 1}, wasm.Fencing{At: 105, Slots: []uint16{7}, Epochs: []uint64{door.Importing | 6}, Ends: 205, Released: true}})
	if class, found, _ := All(e); class != OK {
		t.Errorf("%s: %v", class, found)
	}
}

func TestJudges(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*Evidence)
		class Class
		judge string
		want  string
	}{
		{"a value that nobody wrote", func(e *Evidence) { e.History.Operations[1].Outcome.Text = "x" }, Consistency, "linearizable", `key "k"`},
		{"a value of before a restart", func(e *Evidence) {
			e.History.Operations = append(e.History.Operations, linearize.Operation{
				Client: 1, Key: "k", Kind: linearize.Get, Call: 30, Return: 40, Outcome: linearize.Replied("v"),
			})
			e.History.Marks = []linearize.Mark{{Kind: linearize.Wipe, From: 10, To: 20, Keys: []string{"k"}}}
		}, Consistency, "values", `"v" from 30 to 40, which was lost`},
		{"a history without sense", func(e *Evidence) { e.History.Operations[1].Return = -1 }, Unknown, "linearizable", "operation 1"},
		{"an answer under another's lease", func(e *Evidence) { e.Fences[3].At = 205 }, Safety, "lease", "answers at 205"},
		{"an answer without a lease", func(e *Evidence) { e.Fences[1].Ends = 110 }, Safety, "lease", "no lease any more"},
		{"an epoch that falls", func(e *Evidence) { e.Fences[3].Epochs[0] = 4 }, Safety, "epochs", "by epoch 4"},
		{"an epoch with two holders", func(e *Evidence) { e.Fences[3].Epochs[0] = 5 }, Safety, "epochs", "by epoch 5"},
		{"a holder that goes on", func(e *Evidence) { e.Fences[1].At, e.Fences[1].Ends = 310, 320 }, Safety, "epochs", "to 310"},
		{"an importer beside the next one", func(e *Evidence) { importing(e, 6, 7) }, Safety, "lease", "answers at 105"},
		{"an importer that goes on", func(e *Evidence) { importing(e, 7, 6) }, Safety, "epochs", "by epoch 6"},
		{"an importer beside a later owner", func(e *Evidence) { importing(e, 8, 8); e.Fences = e.Fences[:5]; e.Fences[4].Ends = 301 }, Safety, "lease", "answers at 300"},
		{"an entry twice", func(e *Evidence) { e.Applied[1].Index = 4 }, Safety, "log", "after entry 4"},
		{"a term that falls", func(e *Evidence) { e.Applied[1].Term, e.Leads = 1, nil }, Safety, "log", "of term 1 after"},
		{"two entries at one place", func(e *Evidence) { e.Applied[2].Entry = 99 }, Safety, "log", "entry 4 is of term 2"},
		{"two states", func(e *Evidence) { e.Applied[2].State = 99 }, Safety, "states", "after entry 4"},
		{"a leader without an entry", func(e *Evidence) { e.Leads[0].Log = e.Leads[0].Log[:1] }, Safety, "completeness", "lacks entry 4"},
		{"a leader without a log", func(e *Evidence) { e.Leads[0].Log = nil }, Safety, "completeness", "lacks entry 4"},
		{"a leader with another entry", func(e *Evidence) { e.Leads[0].Log[1].Entry = 99 }, Safety, "completeness", "its entry 4 is of term 2 (63)"},
		{"a leader with another term", func(e *Evidence) { e.Leads[0].Log[1].Term = 1 }, Safety, "completeness", "its entry 4 is of term 1"},
		{"a gap behind the snapshot", func(e *Evidence) { e.Leads[0].Covered, e.Leads[0].Log = 2, e.Leads[0].Log[2:] }, Safety, "completeness", "lacks entry 4"},
		{"a term that is forgotten", func(e *Evidence) { e.Standings[3].Term = 2 }, Safety, "promises", "node 0 was in term 3, and life 2"},
		{"a vote that is forgotten", func(e *Evidence) { e.Standings[3].Voted = 2 }, Safety, "promises", "node 0 voted in term 3, and life 2"},
		{"an entry that is forgotten", func(e *Evidence) { e.Standings[3].Kept = 5 }, Safety, "promises", "node 0 applied entry 6, and life 2"},
		{"a life that grows", func(e *Evidence) { e.Nodes[0].Memory = mostMemory + 1 }, Liveness, "memory", "bytes of memory after 2 lives"},
		{"a ledger that grows", func(e *Evidence) { e.Nodes[0].Ledger = mostLedger + 1000 }, Liveness, "memory", "bytes in its ledger"},
		{"a disk that fills", func(e *Evidence) { e.Nodes[0].Disk = mostDisk + 1 }, Liveness, "memory", "bytes on its disk"},
		{"files that stay", func(e *Evidence) { e.Nodes[0].Files = mostFiles + 1 }, Liveness, "memory", "files"},
		{"an exit", func(e *Evidence) { e.Exits[0].Shaken = false }, Crash, "exits", "its disk failed"},
		{"a node that goes on", func(e *Evidence) { e.Unsure = append(e.Unsure, Exit{Life: Life{1, 1}, At: 70, Why: "a sync failed"}) }, Crash, "exits",
			"node 1 (life 1) goes on, and a sync failed at 70"},
		{"a broken promise behind a failing disk", func(e *Evidence) { e.Exits[0].Why = "panic: invariant broken: x" }, Crash, "exits", "invariant broken"},
		{"a node that does not serve", func(e *Evidence) { e.Nodes[0].Served = 0 }, Liveness, "convergence", "node 0"},
		{"a node that serves late", func(e *Evidence) { e.Nodes[0].Served = 2001 }, Liveness, "convergence", "node 0"},
		{"a client without answers", func(e *Evidence) { e.Clients[0].Answered = 1000 }, Liveness, "stuck", "client 1 has had no answer"},
		{"a client that waits", func(e *Evidence) { e.Clients[0].Silent = calm }, Liveness, "stuck", "client 1 waited in vain"},
		{"an odd reply", func(e *Evidence) { e.Odd = []string{"ERR odd"} }, Consistency, "replies", "ERR odd"},
		{"a run that stops", func(e *Evidence) { e.Stopped = errors.New("no end") }, Crash, "run", "no end"},
		{"a step without an end", func(e *Evidence) { e.Stopped = fmt.Errorf("%w: node 1", wasm.ErrStuck) }, Stuck, "run", "node 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := good()
			c.spoil(e)
			class, found, _ := All(e)
			if class != c.class || len(found) == 0 || found[0].Judge != c.judge || !strings.Contains(found[0].Text, c.want) {
				t.Errorf("%s: %v", class, found)
			}
		})
	}
}

// A node whose disk was taken from it cannot know what it promised.
func TestPromisesOfAnEmptiedDisk(t *testing.T) {
	e := good()
	e.Standings[3].Standing = wasm.Standing{}
	if class, found, _ := All(e); class != Safety || len(found) != 3 {
		t.Errorf("%s: %v", class, found)
	}
	e.Nodes[0].Emptied = true
	if class, found, _ := All(e); class != OK {
		t.Errorf("%s: %v", class, found)
	}
}

// Who gave its right to a slot up may have a lease still; to go on answering is wrong
// all the same.
func TestGivenRight(t *testing.T) {
	e := good()
	e.Given = map[Right]bool{{7, 5}: true}
	e.Fences[3].At = 205
	if class, found, _ := All(e); class != OK {
		t.Errorf("%s: %v", class, found)
	}
	e.Fences[1].At, e.Fences[1].Ends = 206, 310
	if class, _, _ := All(e); class != Safety {
		t.Errorf("%s", class)
	}
}

// Of many findings a judge tells the first ones, and how many there are.
func TestManyFindings(t *testing.T) {
	e := good()
	e.Odd = make([]string, 3*mostTold)
	if _, found, _ := All(e); len(found) != mostTold+1 || found[mostTold].Text != "and 40 more like these" {
		t.Errorf("%d findings", len(found))
	}
}

// What leases promise is not asked for where clocks ran beyond their bound. All else
// is, and so is that a node does not answer beyond its own lease.
func TestVoided(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*Evidence)
		judge string
	}{
		{"an answer under another's lease", func(e *Evidence) { e.Fences[3].At = 205 }, ""},
		{"a holder that goes on", func(e *Evidence) { e.Fences[1].At, e.Fences[1].Ends = 310, 320 }, ""},
		{"a value that was overwritten", func(e *Evidence) {
			e.History.Operations = append(e.History.Operations,
				linearize.Operation{Client: 1, Key: "k", Kind: linearize.Set, Value: "w", Call: 5, Return: 6, Outcome: linearize.Replied("OK")},
				linearize.Operation{Client: 1, Key: "k", Kind: linearize.Get, Call: 7, Return: 8, Outcome: linearize.Replied("v")})
		}, ""},
		{"an answer without a lease", func(e *Evidence) { e.Fences[1].Ends = 110 }, "lease"},
		{"an epoch with two holders", func(e *Evidence) { e.Fences[3].Epochs[0] = 5 }, "epochs"},
		{"a value that nobody wrote", func(e *Evidence) { e.History.Operations[1].Outcome.Text = "x" }, "values"},
		{"two entries at one place", func(e *Evidence) { e.Applied[2].Entry = 99 }, "log"},
		{"a node that does not serve", func(e *Evidence) { e.Nodes[0].Served = 0 }, "convergence"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := good()
			c.spoil(e)
			if _, found, _ := All(e); len(found) == 0 && c.judge == "" {
				t.Error("no judge minds while leases hold")
			}
			e.Voided = true
			class, found, _ := All(e)
			if c.judge == "" && class != OK || c.judge != "" && (len(found) == 0 || found[0].Judge != c.judge) {
				t.Errorf("%s: %v", class, found)
			}
		})
	}
}

// A leader need not have what snapshots cover, nor what was committed in its own
// term or later.
func TestCompletenessLeavesOut(t *testing.T) {
	for name, change := range map[string]func(*Lead){
		"committed later":  func(l *Lead) { l.At, l.Log = -1, nil },
		"covered":          func(l *Lead) { l.Covered, l.Log = 4, l.Log[2:] },
		"covered, no log":  func(l *Lead) { l.Covered, l.Log = 4, nil },
		"of its own term":  func(l *Lead) { l.Term, l.Log = 2, nil },
		"of a later term":  func(l *Lead) { l.Term, l.Log = 1, nil },
		"more than needed": func(l *Lead) { l.Log = append(l.Log, wasm.Held{Index: 6, Term: 3, Entry: 1}) },
	} {
		e := good()
		change(&e.Leads[0])
		if class, found, _ := All(e); class != OK {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// What is good is found good, and each judge had something to check.
func TestGood(t *testing.T) {
	class, found, checks := All(good())
	if class != OK || len(found) > 0 {
		t.Errorf("%s: %v", class, found)
	}
	for _, j := range Table {
		if checks[j.Name] == 0 {
			t.Errorf("%s had nothing to check", j.Name)
		}
	}
}

// Clients are judged from when the last node goes on that stood still when all was
// healed, be it one without slots.
func TestStuckWaitsForWhoStandsStill(t *testing.T) {
	e := good()
	e.Clients[0].Silent = calm
	e.Ended = 4 * calm
	e.Clients[0].Answered = 4 * calm
	if class, _, _ := All(e); class != Liveness {
		t.Errorf("a client that waits is %s", class)
	}
	for i := range e.Nodes {
		if e.Nodes[i].Spare {
			e.Nodes[i].Stands = calm
		}
	}
	if class, found, _ := All(e); class != OK {
		t.Errorf("a client that waits for a node that stands still: %v", found)
	}
}
