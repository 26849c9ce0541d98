package play

import (
	"fmt"
	"testing"

	"github.com/elares/ironcache/chaos/fault"
	"github.com/elares/ironcache/chaos/judge"
	"github.com/elares/ironcache/chaos/plan"
	"github.com/elares/ironcache/chaos/workload"
	"github.com/elares/ironcache/linearize"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim/door"
	"github.com/elares/ironcache/sim/wasm"
	"github.com/elares/ironcache/slots"
)

// seven is the slot that the entries of these tests are about.
var seven = slots.Range{First: 7, Last: 7}

func span(epoch uint64) []state.Span { return []state.Span{{Range: seven, Epoch: epoch}} }

// decide gives what an ownership made of entries: those of index 1 on, at ten times
// their index, each of them told of by two nodes.
func decide(t *testing.T, entries ...state.Entry) *ownership {
	t.Helper()
	return decideIn(t, 1, 1, entries...)
}

// decideIn is decide in a cluster whose members understand a version, of entries that
// are of another.
func decideIn(t *testing.T, speaks, version uint8, entries ...state.Entry) *ownership {
	t.Helper()
	place := func(n byte) state.Founder {
		return state.Founder{ID: state.ID{n}, Incarnation: 1, Speaks: speaks, Suffrage: state.Voter,
			Address: state.Address{Host: "10.0.0.1", Port: uint16(n), BusPort: 100 + uint16(n), ReplicationPort: 3}}
	}
	form := &state.Form{Founders: []state.Founder{place(1), place(2), place(3)}}
	form.Founders[0].Owns = []slots.Range{seven}
	o := &ownership{given: map[judge.Right]bool{}}
	for i, e := range append([]state.Entry{form}, entries...) {
		text, err := state.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			text[0] = version
		}
		for node := range 2 {
			o.take(wasm.Applying{At: int64(10*i + 10 + node), Index: uint64(i + 1), Text: text})
		}
	}
	return o
}

// What becomes of a slot's keys, and which rights were given up, follows from what was
// decided.
func TestOwnership(t *testing.T) {
	begin := &state.BeginMigration{To: 2, Incarnation: 1, Spans: span(1)}
	flip := &state.Flip{Slot: 7, Epoch: 1, Move: 2}
	release := &state.Release{Node: 1, By: state.Stamp{Incarnation: 1, Sequence: 9}, Spans: span(1)}
	unassign := func(waited uint64) *state.Unassign { return &state.Unassign{From: 1, Waited: waited, Spans: span(1)} }
	for _, c := range []struct {
		name    string
		entries []state.Entry
		losses  []int64 // when they begin, after that of the Form
		given   []uint64
	}{
		{"a slot comes with its keys", []state.Entry{begin, flip}, nil, []uint64{1, door.Importing | 2}},
		{"a migration is cut off", []state.Entry{begin, &state.CancelMigration{Spans: []state.MoveSpan{{Range: seven, Move: 2}}}}, []int64{30}, nil},
		{"a slot is given up", []state.Entry{release, unassign(0)}, []int64{30}, []uint64{1}},
		{"a slot is taken", []state.Entry{unassign(0)}, []int64{20}, nil},
		{"a slot is taken by who imports it", []state.Entry{begin, &state.Assign{How: state.Force, To: 2, Incarnation: 1, From: 1, Spans: span(1)}},
			nil, []uint64{door.Importing | 2}},
		{"a slot is taken by another than who imports it", []state.Entry{begin, &state.Assign{How: state.Force, To: 3, Incarnation: 1, From: 1, Spans: span(1)}},
			[]int64{30, 30}, nil},
		{"what is refused changes nothing", []state.Entry{flip}, nil, nil},
	} {
		o := decide(t, c.entries...)
		var losses []int64
		for _, l := range o.losses[1:] {
			losses = append(losses, l.From)
		}
		if fmt.Sprint(losses) != fmt.Sprint(c.losses) {
			t.Errorf("%s: losses at %v, want %v", c.name, losses, c.losses)
		}
		given := map[judge.Right]bool{}
		for _, epoch := range c.given {
			given[judge.Right{Slot: 7, Epoch: epoch}] = true
		}
		if fmt.Sprint(o.given) != fmt.Sprint(given) {
			t.Errorf("%s: given %v, want %v", c.name, o.given, given)
		}
	}
}

// What nodes of a later version decide counts, if all members understand it.
func TestOwnershipOfALaterVersion(t *testing.T) {
	const later = state.NewestVersion + 1
	release := &state.Release{Node: 1, By: state.Stamp{Incarnation: 1, Sequence: 9}, Spans: span(1)}
	unassign := &state.Unassign{From: 1, Spans: span(1)}
	for _, c := range []struct {
		speaks uint8
		given  int
	}{{later, 1}, {state.NewestVersion, 0}} {
		if o := decideIn(t, c.speaks, later, release, unassign); len(o.given) != c.given || len(o.losses) != 1+c.given {
			t.Errorf("members that understand %d: given %v, losses %v", c.speaks, o.given, o.losses)
		}
	}
}

// Once something is decided by a later version, a node that went back is not believed that
// it understands less: what the others decide by that version goes on to count.
func TestOwnershipAfterANodeWentBack(t *testing.T) {
	const later = state.NewestVersion + 1
	release := &state.Release{Node: 1, By: state.Stamp{Incarnation: 1, Sequence: 9}, Spans: span(1)}
	back := &state.Announce{Node: 3, By: state.Stamp{Incarnation: 2, Sequence: 1}, Speaks: state.NewestVersion,
		Address: state.Address{Host: "10.0.0.1", Port: 3, BusPort: 103, ReplicationPort: 3}}
	unassign := &state.Unassign{From: 1, Spans: span(1)}
	if o := decideIn(t, later, later, release, back, unassign); len(o.given) != 1 || len(o.losses) != 2 {
		t.Errorf("given %v, losses %v", o.given, o.losses)
	}
}

// Keys of a moved slot may be lost where its owner changed, and with the life of a
// node that answered for them; those of others with their node alone.
func TestLossesOfMovedSlots(t *testing.T) {
	const moved, other = "key:0:0", "key:1:0"
	slot := slots.Of([]byte(moved))
	h := linearize.History{Operations: []linearize.Operation{{Key: moved}, {Key: other}}, Marks: []linearize.Mark{
		{Kind: linearize.Wipe, Node: "node 0"}, {Kind: linearize.Wipe, Node: "node 1"}, {Kind: linearize.Wipe, Node: "node 2"},
	}}
	stage := &fault.Stage{}
	stage.Moved = map[uint16]bool{slot: true}
	stage.Losses = []fault.Loss{{First: slot, Last: slot + 1, From: 50, To: -1}}
	stage.Copies = []fault.Copy{{Key: moved, From: 60, To: 70}}
	held, idle := judge.Life{Node: 1, Life: 1}, judge.Life{Node: 0, Life: 1}
	r := &run{plan: &plan.Plan{Nodes: 3}, stage: stage, crowd: &workload.Crowd{}, wipes: []wipe{{held, 10, 20}, {idle, 30, 40}}}
	r.owners.losses = []fault.Loss{{First: slot, Last: slot, From: 5, To: 6}, {First: slot + 9, Last: slot + 9, From: 7, To: 8}}
	e := &judge.Evidence{History: &h, Ended: 99, Fences: []judge.Fence{
		{Life: held, Fencing: wasm.Fencing{Slots: []uint16{slot}, Released: true}}, {Life: idle, Fencing: wasm.Fencing{Slots: []uint16{slot}}},
	}}
	concern(&h, 3, stage.Moved)
	r.losses(e)
	var got []string
	for _, m := range h.Marks {
		got = append(got, fmt.Sprintf("%s %v %d-%d", m.Kind, m.Keys, m.From, m.To))
	}
	want := []string{"wipe [key:1:0] 0-0", "loss [key:0:0] 5-6", "loss [key:0:0] 50-99", "failover [key:0:0] 60-70", "loss [key:0:0] 10-20"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("marks %q, want %q", got, want)
	}
}

// The keys that were used last come first.
func TestLatestKeys(t *testing.T) {
	h := &linearize.History{}
	for i := range 20 {
		h.Operations = append(h.Operations, linearize.Operation{Key: fmt.Sprint(i / 2)})
	}
	if got := fmt.Sprint(latest(h)); got != "[9 8 7 6 5 4]" {
		t.Errorf("%s", got)
	}
}

// moving is a plan in which slots move all the time.
func moving() *plan.Plan {
	p := plan.Draw(2, plan.Options{Nodes: 3, Shards: 2, Faults: []string{}, Workload: "register", Seconds: 15})
	p.Heal = 12_000
	names := []string{"move", "move-range", "move", "move-bare"}
	for at := int64(3000); at < p.Heal; at += 500 {
		n := len(p.Events)
		p.Events = append(p.Events, fault.Event{At: at, Fault: names[n%len(names)], Node: n % 3, Amount: int64(n % 5)})
	}
	return p
}

// Slots move while clients use them, and nobody sees what cannot be. Most of what is
// begun comes to its end.
func TestSlotsMoveUnderClients(t *testing.T) {
	r := Run(moving(), module(t), Options{})
	if r.Class != judge.OK {
		t.Errorf("%s: %v", r.Class, r.Findings)
	}
	if n := r.Seen["move"] + r.Seen["move-bare"] + r.Seen["move-range"]; n < 8 || r.Seen["move"] == 0 || r.Checks["epochs"] < 8 {
		t.Errorf("%d moves: %v; checks %v", n, r.Seen, r.Checks)
	}
}
