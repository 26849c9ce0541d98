package state

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/elares/ironcache/slots"
)

// world is two machines that apply one log, the model, and proposers that look at
// states of any age.
type world struct {
	*rapid.T
	index    uint64
	log      map[uint64][]byte
	whole    State // applies every entry
	hopping  State // is restored from its own snapshots at times
	model    *model
	views    []State  // some states so far, the empty one first
	waiting  [][]byte // proposed and not yet in the log, or to come once more
	accepted int
}

// edges are slots at the borders of pages and of the keyspace.
var edges = []uint16{0, 1, 2, 126, 127, 128, 129, 255, 256, 16382, 16383}

// number draws 0 to most, nearly evenly: rapid by itself prefers small numbers, of
// which chains of legal entries do not come.
func (w *world) number(label string, most int) int {
	drawn := rapid.Uint32().Draw(w.T, label)
	return int(uint64(drawn) * 0x9e3779b97f4a7c15 >> 33 % uint64(most+1))
}

func (w *world) view() *State {
	if w.number("old view", 4) < 4 {
		return &w.whole // chains of legal entries are long
	}
	return &w.views[w.number("view", len(w.views)-1)]
}

func (w *world) node(s *State) slots.Node {
	if n := len(s.members); n > 0 && w.number("known", 19) < 19 {
		return s.members[w.number("member", n-1)].Number
	}
	return slots.Node(1 + w.number("node", 9))
}

func (w *world) incarnation(s *State, n slots.Node) uint64 {
	if m := s.Member(n); m != nil && w.number("right", 19) < 19 {
		return max(1, m.Stamp.Incarnation)
	}
	return 1 + uint64(w.number("incarnation", 3))
}

func (w *world) stamp(s *State, n slots.Node) Stamp {
	by := Stamp{w.incarnation(s, n), 1}
	if m := s.Member(n); m != nil {
		by.Sequence = m.Stamp.Sequence + uint64(w.number("sequence", 3))
	}
	return by
}

// ranges draws some ranges, at times all that a node owns.
func (w *world) ranges(s *State, n slots.Node) (list []slots.Range) {
	if owned := s.Map().OwnedBy(n); len(owned) > 0 && w.number("owned", 2) < 2 {
		return split(owned, s.Map())
	}
	at := w.number("edge", len(edges)-1)
	end := min(at+w.number("edges", 2), len(edges)-1)
	return split([]slots.Range{{First: edges[at], Last: edges[end]}}, s.Map())
}

// split cuts ranges where what the map says changes.
func split(list []slots.Range, m *slots.Map) (cut []slots.Range) {
	for _, r := range list {
		for run := range m.Runs() {
			if first, last := max(r.First, run.First), min(r.Last, run.Last); first <= last {
				cut = append(cut, slots.Range{First: first, Last: last})
			}
		}
	}
	return cut
}

func (w *world) spans(s *State, n slots.Node) (list []Span) {
	for _, r := range w.ranges(s, n) {
		list = append(list, Span{r, s.Map().Epoch(r.First)})
	}
	return list
}

func (w *world) syncSpans(s *State, n slots.Node) (list []SyncSpan) {
	for _, span := range w.spans(s, n) {
		at := s.Map().At(span.First)
		list = append(list, SyncSpan{span, at.Version()})
	}
	return list
}

// waited is what a leader may have waited out: that which backs the slots, or
// anything.
func (w *world) waited(s *State, list []Span) (waited uint64) {
	if w.number("waited", 9) == 9 {
		return uint64(w.number("wrongly", int(w.index)))
	}
	for _, span := range list {
		waited = max(waited, s.Backing(span.First))
	}
	return waited
}

// proposals has a way to draw each kind of entry, by a proposer that sees s.
// The first comes most often.
var proposals = []func(w *world, s *State) Entry{
	proposeAssign, proposeAssign, proposeAssign, proposeAssign, proposeAssign, proposeAssign,
	proposeGrow, proposeGrow, proposeGrow, proposeBegin, proposeBegin, proposeBegin, proposeFlip, proposeFlip, proposeFlip,
	proposeRelease, proposeRelease, proposeRenew, proposeRenew, proposeRenew, proposeAnnounce,
	func(w *world, s *State) Entry { return topology() },
	func(w *world, s *State) Entry {
		j := join(1 + w.number("joins", 11))
		j.Incarnation = uint64(w.number("incarnation", 1))
		if w.number("claims", 3) == 3 {
			j.Claims = w.ranges(s, slots.None)
		}
		return j
	},
	func(w *world, s *State) Entry { return &Forget{w.node(s)} },
	func(w *world, s *State) Entry { return &SetRole{w.node(s), w.node(s)} },
	func(w *world, s *State) Entry { return &SetRole{w.node(s), slots.None} },
	func(w *world, s *State) Entry { return &SetSuffrage{w.node(s), Suffrage(w.number("suffrage", 1))} },
	func(w *world, s *State) Entry { return &BumpEpoch{w.node(s)} },
	func(w *world, s *State) Entry { return &Barrier{w.node(s), s.barrier.Term + 1} },
	func(w *world, s *State) Entry {
		from := w.node(s)
		list := w.spans(s, from)
		return &Unassign{from, w.waited(s, list), list}
	},
	func(w *world, s *State) Entry { n := w.node(s); return &Shrink{n, w.syncSpans(s, ownerOf(s, n))} },
	proposeCancel, proposeCancel,
}

func proposeCancel(w *world, s *State) Entry {
	e := new(CancelMigration)
	for _, r := range split(s.Map().Where(func(s *slots.Slot) bool { return s.Move > 0 }), s.Map()) {
		e.Spans = append(e.Spans, MoveSpan{r, s.Map().At(r.First).Move})
	}
	return e
}

func proposeRelease(w *world, s *State) Entry {
	n := w.node(s)
	return &Release{n, w.stamp(s, n), w.spans(s, n)}
}

func proposeAnnounce(w *world, s *State) Entry {
	n := w.node(s)
	by := w.stamp(s, n)
	by.Incarnation += uint64(w.number("starts", 1))
	return &Announce{n, by, 1, addressOf(int(n))}
}

func proposeRenew(w *world, s *State) Entry {
	e := new(Renew)
	for range 1 + w.number("requests", 2) {
		n := w.node(s)
		e.Requests = append(e.Requests, Request{n, w.stamp(s, n)})
	}
	return e
}

func ownerOf(s *State, n slots.Node) slots.Node {
	if m := s.Member(n); m != nil && m.Of != slots.None {
		return m.Of
	}
	return n
}

func proposeAssign(w *world, s *State) Entry {
	e := &Assign{How: How(w.number("how", int(hows)-1)), To: w.node(s), From: w.node(s)}
	switch e.How {
	case Claim:
		e.From = slots.None
	case Resume:
		e.From = e.To
	case Promote:
		e.From = ownerOf(s, e.To)
	}
	e.Incarnation = w.incarnation(s, e.To)
	e.Spans = w.spans(s, e.From)
	if e.From != slots.None {
		e.Waited = w.waited(s, e.Spans)
	}
	return e
}

func proposeGrow(w *world, s *State) Entry {
	n := w.node(s)
	return &Grow{n, w.incarnation(s, n), w.syncSpans(s, ownerOf(s, n))}
}

func proposeBegin(w *world, s *State) Entry {
	to := w.node(s)
	return &BeginMigration{to, w.incarnation(s, to), w.spans(s, w.node(s))}
}

func proposeFlip(w *world, s *State) Entry {
	moving := s.Map().Where(func(s *slots.Slot) bool { return s.Move > 0 })
	if len(moving) == 0 {
		return &Flip{Move: 1}
	}
	r := moving[w.number("moving", len(moving)-1)]
	at := s.Map().At(r.Last)
	e := &Flip{Slot: r.Last, Epoch: at.Epoch, Move: at.Move, Offset: 1}
	for _, m := range s.members {
		if m.Of == at.To && w.number("synced", 1) == 1 || w.number("astray", 19) == 19 {
			e.InSync = append(e.InSync, Synced{m.Number, w.incarnation(s, m.Number)})
		}
	}
	return e
}

// propose draws an entry, which waits for its place in the log.
func (w *world) propose() {
	e := proposals[w.number("kind", len(proposals)-1)](w, w.view())
	if data, err := Encode(e); err == nil {
		w.waiting = append(w.waiting, data)
	}
}

// commit puts an entry that waits, early or late or once more, into the log.
func (w *world) commit() {
	if len(w.waiting) == 0 {
		return
	}
	last := len(w.waiting) - 1
	at := last
	if w.number("late", 4) == 4 {
		at = w.number("of", last)
	}
	data := w.waiting[at]
	if w.number("again", 9) < 9 {
		w.waiting = append(w.waiting[:at:at], w.waiting[at+1:]...)
	}
	w.index += 1 + uint64(w.number("skip", 1)) // Raft's own entries take indices too
	w.log[w.index] = data
	w.apply(data)
}

func (w *world) apply(data []byte) {
	earlier, before := w.whole, w.whole.Snapshot()
	outcome, err := w.whole.Apply(w.index, data)
	other, otherErr := w.hopping.Apply(w.index, data)
	after := w.whole.Snapshot()
	switch {
	case err != nil || otherErr != nil || outcome != other || !bytes.Equal(after, w.hopping.Snapshot()):
		w.Fatalf("the machines disagree: %v and %v, %v and %v", outcome, other, err, otherErr)
	case outcome.Refused():
		if !bytes.Equal(before, after) {
			w.Fatalf("refused, and the state changed: %v", outcome)
		}
		return
	}
	e, err := Decode(data)
	if err != nil {
		w.Fatalf("%v", err)
	}
	w.accepted++
	w.model.accept(e, w.index)
	w.model.compare(&w.whole, w.whole.Map().Changed(earlier.Map()))
	if w.number("seen", 2) > 0 {
		w.views = append(w.views, w.whole)
	}
}

// hop replaces a machine by one that was restored.
func (w *world) hop() {
	restored := State{}
	if w.number("onto", 1) == 1 {
		restored = *w.view() // restore replaces whatever was there
	}
	if err := restored.Restore(w.hopping.Snapshot()); err != nil {
		w.Fatalf("%v", err)
	}
	w.hopping = restored
}

// replay applies the whole log to a third machine.
func (w *world) replay() {
	replayed := State{}
	for index := uint64(1); index <= w.index; index++ {
		if data := w.log[index]; data != nil {
			if _, err := replayed.Apply(index, data); err != nil {
				w.Fatalf("%v", err)
			}
		}
	}
	if !bytes.Equal(replayed.Snapshot(), w.whole.Snapshot()) {
		w.Fatalf("a replay comes to another state")
	}
}

// Whatever proposers propose who see states of any age, in whatever order and
// however often it comes into the log: the machines agree, refused entries change
// nothing, restored machines go on as the others, and all is as the model has it.
// What must hold of every state and of each step, Deep checks at each entry: one
// owner a slot, who is a member; one destination at most; epochs and versions only
// rise.
func TestMachinesAgree(t *testing.T) {
	accepted, kindsSeen, reasonsSeen := 0, map[Kind]int{}, map[Reason]int{}
	rapid.Check(t, func(t *rapid.T) {
		w := &world{T: t, log: map[uint64][]byte{}, views: make([]State, 1), model: newModel(t)}
		if data, err := Encode(topology()); err == nil && w.number("formed", 9) < 9 {
			w.waiting = append(w.waiting, data)
			w.commit()
		}
		for range 20 + w.number("steps", 40) {
			w.propose()
			if w.number("commit", 4) < 4 {
				w.commit()
			}
			if w.number("hop", 9) == 9 {
				w.hop()
			}
		}
		w.replay()
		w.model.compare(&w.whole, []slots.Range{slots.All})
		accepted += w.accepted
		w.count(kindsSeen, reasonsSeen)
	})
	t.Logf("%d accepted, by kind %v, refused %v", accepted, kindsSeen, reasonsSeen)
	for _, row := range kinds {
		if accepted > 900 && kindsSeen[row.kind] == 0 {
			t.Errorf("no %v was accepted", row.kind)
		}
	}
}

// count replays the log for what became of each kind.
func (w *world) count(kindsSeen map[Kind]int, reasonsSeen map[Reason]int) {
	s := State{}
	for index := uint64(1); index <= w.index; index++ {
		if data := w.log[index]; data != nil {
			if o, _ := s.Apply(index, data); o.Refused() {
				reasonsSeen[o.Reason]++
			} else {
				kindsSeen[Kind(data[1])]++
			}
		}
	}
}
