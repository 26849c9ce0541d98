package linearize

import (
	"math"
	"slices"
)

// Expiry.
//
// An operation takes effect at one moment t of true time within [Call, Return],
// and moments never go backwards along the order. A lifetime that was set at
// moment s ends at a moment e, unknown, with s+least <= e <= s+most (see
// Clock.window). An operation that found the key alive has t <= e, one that
// found it gone has t >= e; the two are allowed to meet.
//
// Moments and e exist if and only if a system of differences has a solution.
// Seen from the front of the order, only s, the latest moment t, and what has
// been said about them matter:
//
//   - t is bounded below alone, since the next moment may be any later one;
//   - alive says t - s <= most, which bounds s below, since t is late;
//   - gone says t - s >= least, which bounds s above, since t is not after
//     Return, and t below; then s is forgotten;
//   - e needs no variable: all that found the key alive stand before all that
//     found it gone, so that an e between them exists if least <= most.
//
// A deadline that is fixed is one with s known and without a lifetime. When the
// civil clock is set forward by x, a deadline is nearer by x from then on: least
// and most shrink. When it is set back, they grow; and the key may have been gone
// before, with nobody looking.
//
// So a range of s and a lower bound of t, as config has them, are exact: an
// order is refused if and only if no clock within the bounds explains it. (With
// LostWrites, what was alive at its end may come back with the range that it
// had then, which allows a little more than any clock does.)

// Unknown operations.
//
// They are no part of the order that is searched. Instead, each possibility
// says which of them have taken effect, and before an event follows, any of the
// others may do so in any sequence. What they leave behind is kept only if it is
// not covered: of two possibilities that hold the same, the one that used fewer
// has all that the other has. That is why eight unknown writes cost eight
// possibilities, and not 256. One called later than the event returns puts the
// latest moment after that return, so that the event cannot follow.

// A machine steps a model through time, expiry, marks and unknown operations.
type machine struct {
	model *Model
	clock Clock
	until int64    // when the last failover is over, before which writes are remembered; -1 if there is none
	lost  []*event // unknown operations by call, at most maxUnknowns
	twin  []int    // for each, the number of the one before that does the same, -1 if none
	lines []int    // for each line, how many operations of known outcome it has
	chain uint64   // unknown operations that another of their line waits for

	known map[asked]told // what the model did before, if that takes it long

	steps int // taken so far
	limit int // of steps; beyond it nothing follows anything
}

// maxUnknowns is the number of bits in config.used.
const maxUnknowns = 64

// An event is an operation or a mark, as the search sees it.
type event struct {
	op        *Operation
	mark      *markRow
	label     string // of a mark
	by        int64  // of a clock that jumps
	client    int
	call, ret int64
	line      int // among machine.lines, -1: none
	place     int // how many of known outcome stand before it in its line
	after     int // of unknown outcome: the number of the one before it in its line, -1 if none
}

// start is the state of a key that nobody has written.
func (m *machine) start() *state { return newState([]config{{}}, make([]int, len(m.lines))) }

// next is the state after an event, nil if the event cannot follow.
func (m *machine) next(s *state, e *event) *state {
	if m.spent() || e.line >= 0 && s.done[e.line] != e.place {
		return nil
	}
	var after []config
	for _, c := range m.opened(s, e.ret) {
		after = append(after, m.follow(c, e)...)
	}
	done := s.done
	if e.line >= 0 {
		done = slices.Clone(done)
		done[e.line]++
	}
	return newState(after, done)
}

// opened is what the configs of a state are or become by unknown operations
// that were called by a time.
func (m *machine) opened(s *state, by int64) []config {
	first := s.known
	for first < len(m.lost) && m.lost[first].call <= by {
		first++
	}
	if first > s.known {
		s.open, s.known = m.closure(s.configs, first, s.done), first
	}
	return s.open
}

// closure is what configs are or become by the first unknown operations.
func (m *machine) closure(configs []config, first int, done []int) []config {
	x := newIndex(slices.Clone(configs))
	for i := 0; i < len(x.all) && !m.spent(); i++ {
		for n := range first {
			if !m.may(x.all[i], n, done) {
				continue
			}
			for _, c := range m.follow(x.all[i], m.lost[n]) {
				c.used |= 1 << n
				c.order = c.used & m.chain
				covered, looked := x.covers(&c, -1)
				m.steps += work(1+len(c.past), looked)
				if !covered {
					x.add(c)
				}
			}
		}
	}
	return x.all
}

// may tells whether an unknown operation may be the next to take effect: it has
// not, nor does another have to go first.
func (m *machine) may(c config, n int, done []int) bool {
	e := m.lost[n]
	has := func(n int) bool { return c.used&(1<<n) != 0 }
	return !has(n) && (m.twin[n] < 0 || has(m.twin[n])) && (e.line < 0 || done[e.line] == e.place) && (e.after < 0 || has(e.after))
}

// work is how many steps it counts as to compare so many possibilities with so
// many others.
func work(these, those int) int { return these * those / 16 }

// spent tells whether a search has ended for want of steps, in which case that
// nothing follows means nothing.
func (m *machine) spent() bool { return m.steps >= m.limit }

// follow lists what c becomes by an event, nothing if the event cannot follow.
func (m *machine) follow(c config, e *event) []config {
	c.now = max(c.now, e.call)
	c.setBefore(e)
	if c.now > e.ret || c.timed && c.from > c.to {
		return nil
	}
	if m.steps++; c.now > m.until {
		c.past = nil // no failover is left to bring it back
	}
	if e.mark == nil && c.timed {
		return m.timed(c, e)
	}
	if e.mark == nil {
		return m.act(c, c.held, e, e.ret)
	}
	after := e.mark.step(m, c, e)
	for i := range after {
		after[i].setBefore(e)
	}
	return after
}

// setBefore says that the deadline was set before an event.
func (c *config) setBefore(e *event) {
	if c.timed && !c.fixed {
		c.to = min(c.to, e.ret)
	}
}

// window tells how long, at least and at most, after the moment when it was set the
// deadline of c comes, if the clock does not jump any more. Most is below 0 if it
// has passed for certain.
func (m *machine) window(c config) (least, most int64) {
	jumped := c.ahead - c.base
	if c.fixed {
		return -m.clock.Skew - jumped, m.clock.Skew - jumped
	}
	return m.clock.window(c.life - jumped)
}

// timed steps a key with a deadline: it is alive or gone.
func (m *machine) timed(c config, e *event) []config {
	if m.blind(c, e) {
		return m.act(c, c.held, e, e.ret)
	}
	_, most := m.window(c)
	var after []config
	if from := max(c.from, c.now-most); from <= c.to && (c.fixed || most >= 0) {
		alive := c
		alive.from = from
		after = m.act(alive, c.held, e, min(e.ret, plus(c.to, most)))
	}
	if gone, ends := m.ended(c, e); ends {
		after = append(after, m.act(gone, c.held, e, e.ret)...)
	}
	return after
}

// ended is c when its deadline has passed, if that can be before an event returns.
func (m *machine) ended(c config, e *event) (config, bool) {
	least, _ := m.window(c)
	if c.from+least > e.ret {
		return c, false
	}
	c.now = max(c.now, c.from+least)
	c.held = held{}
	return c, true
}

// blind tells whether the event does the same to a key that is alive and to
// one that is gone, and so says nothing about the deadline.
func (m *machine) blind(c config, e *event) bool {
	alive, reply := m.model.Step(c.cell(), e.op)
	gone, other := m.model.Step(Cell{}, e.op)
	running := alive.Timed && alive.Life == 0 && alive.At == 0
	return alive == gone && !running && fits(reply, e.op.Outcome) && fits(other, e.op.Outcome)
}

// act applies an operation to c at a moment within [c.now, latest]. before is
// what a failover could bring back.
func (m *machine) act(c config, before held, e *event, latest int64) []config {
	cell, reply := m.step(c.cell(), e.op)
	if !fits(reply, e.op.Outcome) {
		return nil
	}
	next := held{present: cell.Present, text: cell.Text}
	switch {
	case !cell.Present || !cell.Timed:
	case cell.Life > 0:
		next.deadline = deadline{timed: true, life: cell.Life, from: c.now, to: latest, base: c.ahead}
	case cell.At > 0:
		next.deadline = deadline{timed: true, fixed: true, from: cell.At, to: cell.At}
	default:
		next.deadline = c.deadline
	}
	changed := next.present != before.present || next.text != before.text || next.timed != before.timed ||
		next.life != before.life || cell.Life > 0 || cell.At > 0
	c.held = next
	if c.now <= m.until && changed {
		c = c.remembering(before)
	}
	return []config{c}
}

// asked is a question to a model, told what it said.
type asked struct {
	cell Cell
	op   *Operation
}

type told struct {
	cell  Cell
	reply Outcome
}

// mostKnown bounds how many answers of a model are kept.
const mostKnown = 1 << 16

// step asks the model, which says the same each time.
func (m *machine) step(c Cell, op *Operation) (Cell, Outcome) {
	if !m.model.slow {
		return m.model.Step(c, op)
	}
	t, is := m.known[asked{c, op}]
	if !is {
		if m.known == nil || len(m.known) >= mostKnown {
			m.known = map[asked]told{}
		}
		t.cell, t.reply = m.model.Step(c, op)
		m.known[asked{c, op}] = t
	}
	return t.cell, t.reply
}

// fits tells whether the model's reply is what the client saw, if it saw any.
func fits(reply, seen Outcome) bool { return seen.Result == Lost || reply == seen }

// cell is what a model sees of c.
func (c config) cell() Cell { return Cell{Present: c.present, Text: c.text, Timed: c.timed} }

// wiped is what may be held after a restart without data: nothing, or what was,
// since the key may have lived on another node.
func wiped(m *machine, c config, _ *event) []config {
	if !c.present {
		return []config{c}
	}
	empty := c
	if c.now <= m.until {
		empty = c.remembering(c.held)
	}
	empty.held = held{}
	return []config{c, empty}
}

// fellBack is what may be held after a failover: what was, or any earlier state
// since the failover before. What the new owner has is never lost again to the
// old one.
func fellBack(_ *machine, c config, _ *event) []config {
	past := c.past
	c.past = nil
	after := []config{c}
	for _, p := range past {
		back := c
		back.held = p
		after = append(after, back)
	}
	return after
}

// jumped is what may be held after the civil clock was set. When it is set back, a
// key may have been gone before.
func jumped(m *machine, c config, e *event) []config {
	var after []config
	if gone, ends := m.ended(c, e); c.timed && e.by < 0 && ends {
		if c.now <= m.until {
			gone = gone.remembering(c.held)
		}
		after = append(after, gone)
	}
	after = append(after, c)
	for i := range after {
		after[i].ahead += e.by
	}
	return after
}

// plus adds times, where Infinite stays what it is.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return Infinite
	}
	return a + b
}

// pair finds the twins of unknown operations. Of two that do the same, the one
// called first may take the other's place in any order, and leaves it to come
// later: it goes first. In a line, each has its own place.
func (m *machine) pair() {
	m.twin = make([]int, len(m.lost))
	for i, e := range m.lost {
		m.twin[i] = -1
		for j, before := range m.lost[:i] {
			if e.line < 0 && before.line < 0 && same(before.op, e.op) {
				m.twin[i] = j
			}
		}
	}
}

// same tells whether two unknown operations do the same.
func same(a, b *Operation) bool {
	x, y := *a, *b
	x.Client, x.Call, x.Line, x.Place = y.Client, y.Call, y.Line, y.Place
	return x == y
}

// line puts the events of operations that were sent together into their order.
// events are sorted by place.
func (m *machine) line(events []*event) {
	number := len(m.lines)
	known, after := 0, -1
	for _, e := range events {
		e.line, e.place = number, known
		if !e.op.lost() {
			known++
			continue
		}
		if e.after = after; after >= 0 {
			m.chain |= 1 << after
		}
		after = slices.Index(m.lost, e)
	}
	m.lines = append(m.lines, known)
}
