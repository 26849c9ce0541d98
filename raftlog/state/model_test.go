package state

import (
	"slices"

	"github.com/elares/ironcache/slots"
)

// process is one start of a node.
type process struct {
	node        slots.Node
	incarnation uint64
}

// modelSlot is a slot as a Go program would keep it that knows processes, not
// standings.
type modelSlot struct {
	by        process // who was given the slot, in the incarnation in which it was
	epoch     uint64
	released  bool
	to        slots.Node
	move, set uint64
	via, cut  uint64 // the migration by which it came, and the entry that last cut one off
	inSync    []slots.Node
}

// model says what accepted entries do, and what must have been so for each to be
// accepted. It decides no refusals.
type model struct {
	tester
	slots   [slots.Count]modelSlot
	of      map[slots.Node]slots.Node // by member
	running map[slots.Node]uint64     // incarnation by member
	asked   map[process]uint64        // sequence of the last accepted request
	granted map[process]uint64        // index of the last Renew
	given   slots.Node
}

func newModel(t tester) *model {
	return &model{tester: t, of: map[slots.Node]slots.Node{}, running: map[slots.Node]uint64{},
		asked: map[process]uint64{}, granted: map[process]uint64{}}
}

// must fails unless an accepted entry was legal.
func (m *model) must(legal bool, format string, args ...any) {
	m.Helper()
	if !legal {
		m.Fatalf("accepted: "+format, args...)
	}
}

func (m *model) now(n slots.Node) process { return process{n, m.running[n]} }

func (m *model) each(r slots.Range, do func(uint16, *modelSlot)) {
	for slot := int(r.First); slot <= int(r.Last); slot++ {
		do(uint16(slot), &m.slots[slot])
	}
}

func (m *model) all(do func(uint16, *modelSlot)) { m.each(slots.All, do) }

func (m *model) spans(list []Span, do func(uint16, *modelSlot)) {
	for _, span := range list {
		m.each(span.Range, func(slot uint16, s *modelSlot) {
			m.must(s.epoch == span.Epoch, "slot %d: epoch %d for %d", slot, span.Epoch, s.epoch)
			do(slot, s)
		})
	}
}

func (m *model) enrol(incarnation uint64, claims []slots.Range, index uint64) {
	m.given++
	m.of[m.given], m.running[m.given] = slots.None, incarnation
	for _, r := range claims {
		m.each(r, func(slot uint16, s *modelSlot) {
			m.must(s.by.node == slots.None, "slot %d: a claim to what %d owns", slot, s.by.node)
			m.give(s, m.given, index, nil)
		})
	}
}

func (m *model) give(s *modelSlot, to slots.Node, index uint64, inSync []slots.Node) {
	via := uint64(0)
	if s.to == to {
		via = s.move
	} else {
		m.cutOff(s, index)
	}
	*s = modelSlot{by: m.now(to), epoch: index, set: index, via: via, cut: s.cut, inSync: inSync}
}

// cutOff ends a migration, if there is one.
func (m *model) cutOff(s *modelSlot, index uint64) {
	if s.to != slots.None {
		s.to, s.move, s.cut = slots.None, 0, index
	}
}

// accept does what an accepted entry does.
func (m *model) accept(e Entry, index uint64) {
	switch e := e.(type) {
	case *Form:
		m.must(m.given == 0, "a second topology")
		for _, f := range e.Founders {
			m.enrol(f.Incarnation, f.Owns, index)
		}
		for i, f := range e.Founders {
			m.of[slots.Node(i+1)] = f.Of
		}
	case *Join:
		m.enrol(e.Incarnation, e.Claims, index)
	case *Forget:
		delete(m.of, e.Node)
		delete(m.running, e.Node)
	case *Announce:
		m.announce(e, index)
	case *SetRole:
		m.of[e.Node] = e.Of
	case *Renew:
		for _, r := range e.Requests {
			if by := (process{r.Node, r.By.Incarnation}); by == m.now(r.Node) && r.By.Sequence > m.asked[by] {
				m.asked[by], m.granted[by] = r.By.Sequence, index
			}
		}
	default:
		m.acceptSlots(e, index)
	}
}

func (m *model) acceptSlots(e Entry, index uint64) {
	switch e := e.(type) {
	case *Release:
		m.request(e.Node, e.By)
		m.spans(e.Spans, func(slot uint16, s *modelSlot) {
			m.must(s.by == process{e.Node, e.By.Incarnation} && !s.released, "slot %d: a release by another", slot)
			s.released = true
		})
	case *Assign:
		m.assign(e, index)
	case *Unassign:
		m.spans(e.Spans, func(slot uint16, s *modelSlot) {
			m.taken(slot, s, e.Waited)
			m.cutOff(s, index)
			*s = modelSlot{epoch: index, set: index, cut: s.cut}
		})
	case *Grow:
		m.must(m.running[e.Node] == e.Incarnation, "an earlier start is in sync")
		m.resync(e.Spans, index, func(slot uint16, s *modelSlot) {
			m.must(m.of[e.Node] == s.by.node && !slices.Contains(s.inSync, e.Node), "slot %d: %d in sync", slot, e.Node)
			s.inSync = slices.Sorted(slices.Values(append(slices.Clone(s.inSync), e.Node)))
		})
	case *Shrink:
		m.resync(e.Spans, index, func(_ uint16, s *modelSlot) { s.inSync = without(s.inSync, e.Node) })
	case *BeginMigration:
		m.spans(e.Spans, func(slot uint16, s *modelSlot) {
			m.must(s.to == slots.None && s.by == m.now(s.by.node) && !s.released, "slot %d: a migration", slot)
			s.to, s.move = e.To, index
		})
	case *CancelMigration:
		for _, span := range e.Spans {
			m.each(span.Range, func(slot uint16, s *modelSlot) {
				m.must(s.move == span.Move, "slot %d: the end of another migration", slot)
				m.cutOff(s, index)
			})
		}
	case *Flip:
		s := &m.slots[e.Slot]
		m.must(s.move == e.Move && s.epoch == e.Epoch, "slot %d: flip of another migration", e.Slot)
		var inSync []slots.Node
		for _, synced := range e.InSync {
			m.must(m.of[synced.Node] == s.to && m.running[synced.Node] == synced.Incarnation, "slot %d: %v in sync", e.Slot, synced)
			inSync = append(inSync, synced.Node)
		}
		m.give(s, s.to, index, slices.Compact(slices.Sorted(slices.Values(inSync))))
	}
}

// request checks that a process's requests come in their order.
func (m *model) request(n slots.Node, by Stamp) {
	p := process{n, by.Incarnation}
	m.must(by.Sequence > m.asked[p] || m.running[n] != by.Incarnation, "request %v of %v after %d", by, p, m.asked[p])
	m.asked[p] = by.Sequence
}

func (m *model) announce(e *Announce, index uint64) {
	was := m.now(e.Node)
	m.must(e.By.Incarnation >= was.incarnation, "an earlier start came back")
	m.request(e.Node, e.By)
	m.running[e.Node] = e.By.Incarnation
	if was.incarnation == e.By.Incarnation {
		return
	}
	m.all(func(_ uint16, s *modelSlot) {
		if was.incarnation == 0 && s.by == was {
			s.by = m.now(e.Node) // nobody served before
		}
		if was.incarnation != 0 && s.to == e.Node {
			m.cutOff(s, index)
		}
		if was.incarnation != 0 {
			m.leave(s, e.Node, index)
		}
	})
}

func (m *model) leave(s *modelSlot, n slots.Node, index uint64) {
	if slices.Contains(s.inSync, n) {
		s.inSync, s.set = without(s.inSync, n), index
	}
}

// taken checks that no process can hold a lease under which it serves a slot.
func (m *model) taken(slot uint16, s *modelSlot, waited uint64) {
	m.must(s.released || m.granted[s.by] <= waited, "slot %d is taken from %v, renewed at %d, after a wait for %d",
		slot, s.by, m.granted[s.by], waited)
}

func (m *model) assign(e *Assign, index uint64) {
	m.must(m.running[e.To] == e.Incarnation, "slots for an earlier start")
	m.spans(e.Spans, func(slot uint16, s *modelSlot) {
		m.taken(slot, s, e.Waited)
		m.must(s.by.node == e.From, "slot %d is of %d, not %d", slot, s.by.node, e.From)
		m.must(e.How != Promote || slices.Contains(s.inSync, e.To), "slot %d: promotion of %d", slot, e.To)
		inSync := without(s.inSync, e.To)
		m.give(s, e.To, index, nil)
		if e.How == Promote {
			s.inSync = inSync
		}
	})
	if was := m.of[e.To]; was != slots.None {
		m.succeed(was, e.To, index)
	}
	m.all(func(_ uint16, s *modelSlot) {
		if s.epoch == index {
			s.inSync = keep(s.inSync, func(n slots.Node) bool { return m.of[n] == e.To })
		}
	})
}

// succeed changes the roles after a replica took slots of its owner.
func (m *model) succeed(from, to slots.Node, index uint64) {
	needed := false
	m.all(func(_ uint16, s *modelSlot) { needed = needed || s.by.node == from || s.to == from })
	m.of[to] = slots.None
	m.all(func(_ uint16, s *modelSlot) { m.leave(s, to, index) })
	if needed {
		return
	}
	for n, of := range m.of {
		if n == from || of == from {
			m.of[n] = to
		}
	}
}

func (m *model) resync(list []SyncSpan, index uint64, do func(uint16, *modelSlot)) {
	for _, span := range list {
		m.spans([]Span{span.Span}, func(slot uint16, s *modelSlot) {
			m.must(s.set == span.Version && s.by.node != slots.None, "slot %d: set %d for %d", slot, span.Version, s.set)
			do(slot, s)
			s.set = index
		})
	}
}

// compare holds a State against the model: its members, and some of its slots.
func (m *model) compare(s *State, list []slots.Range) {
	m.Helper()
	if len(s.Members()) != len(m.of) {
		m.Fatalf("%d members, want %d", len(s.Members()), len(m.of))
	}
	for _, member := range s.Members() {
		if of, ok := m.of[member.Number]; !ok || of != member.Of || m.running[member.Number] != member.Stamp.Incarnation {
			m.Fatalf("member %+v: of %d in incarnation %d", member, of, m.running[member.Number])
		}
	}
	for _, r := range list {
		m.each(r, func(slot uint16, want *modelSlot) { m.compareSlot(slot, want, s.Map().At(slot)) })
	}
}

func (m *model) compareSlot(slot uint16, want *modelSlot, got slots.Slot) {
	m.Helper()
	served := !want.released && want.by == m.now(want.by.node)
	if got.Owner != want.by.node || got.Epoch != want.epoch || got.To != want.to || got.Move != want.move ||
		got.Via != want.via || got.Cut != want.cut || got.Version() != want.set || !slices.Equal(got.InSync(), want.inSync) || (got.Standing == slots.Served) != served {
		m.Fatalf("slot %d: %+v with set %+v, want %+v", slot, got, got.Set, *want)
	}
}
