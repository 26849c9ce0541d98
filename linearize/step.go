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
	client    int
	call, ret int64
}

// start is the state of a key that nobody has written.
func (m *machine) start() *state { return newState([]config{{}}) }

// next is the state after an event, nil if the event cannot follow.
func (m *machine) next(s *state, e *event) *state {
	if m.spent() {
		return nil
	}
	var after []config
	for _, c := range m.opened(s, e.ret) {
		after = append(after, m.follow(c, e)...)
	}
	return newState(after)
}

// opened is what the configs of a state are or become by unknown operations
// that were called by a time.
func (m *machine) opened(s *state, by int64) []config {
	first := s.known
	for first < len(m.lost) && m.lost[first].call <= by {
		first++
	}
	if first > s.known {
		s.open, s.known = m.closure(s.configs, first), first
	}
	return s.open
}

// closure is what configs are or become by the first unknown operations.
func (m *machine) closure(configs []config, first int) []config {
	all := slices.Clone(configs)
	for i := 0; i < len(all) && !m.spent(); i++ {
		for n := range first {
			if all[i].used&(1<<n) != 0 || m.twin[n] >= 0 && all[i].used&(1<<m.twin[n]) == 0 {
				continue
			}
			for _, c := range m.follow(all[i], m.lost[n]) {
				c.used |= 1 << n
				m.steps += work(1+len(c.past), len(all))
				if !coveredBy(c, all) {
					all = append(all, c)
				}
			}
		}
	}
	return all
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
	if c.life > 0 {
		c.to = min(c.to, e.ret) // it was set before this
	}
	if c.now > e.ret || c.life > 0 && c.from > c.to {
		return nil
	}
	if m.steps++; c.now > m.until {
		c.past = nil // no failover is left to bring it back
	}
	if e.mark == nil && c.life > 0 {
		return m.timed(c, e)
	}
	if e.mark == nil {
		return m.act(c, c.held, e, e.ret)
	}
	after := e.mark.step(m, c)
	for i := range after {
		if after[i].life > 0 {
			after[i].to = min(after[i].to, e.ret)
		}
	}
	return after
}

// timed steps a key with a deadline: it is alive or gone.
func (m *machine) timed(c config, e *event) []config {
	least, most := m.clock.window(c.life)
	if m.blind(c, e) {
		return m.act(c, c.held, e, e.ret)
	}
	var after []config
	if from := max(c.from, c.now-most); from <= c.to {
		alive := c
		alive.from = from
		after = m.act(alive, c.held, e, min(e.ret, plus(c.to, most)))
	}
	if c.from <= e.ret-least {
		gone := c
		gone.now = max(c.now, c.from+least)
		gone.held = held{}
		after = append(after, m.act(gone, c.held, e, e.ret)...)
	}
	return after
}

// blind tells whether the event does the same to a key that is alive and to
// one that is gone, and so says nothing about the deadline.
func (m *machine) blind(c config, e *event) bool {
	alive, reply := m.model.Step(c.cell(), e.op)
	gone, other := m.model.Step(Cell{}, e.op)
	running := alive.Timed && alive.Life == 0
	return alive == gone && !running && fits(reply, e.op.Outcome) && fits(other, e.op.Outcome)
}

// act applies an operation to c at a moment within [c.now, latest]. before is
// what a failover could bring back.
func (m *machine) act(c config, before held, e *event, latest int64) []config {
	cell, reply := m.model.Step(c.cell(), e.op)
	if !fits(reply, e.op.Outcome) {
		return nil
	}
	next := held{present: cell.Present, text: cell.Text}
	switch {
	case !cell.Present:
	case cell.Timed && cell.Life > 0:
		next.life, next.from, next.to = cell.Life, c.now, latest
	case cell.Timed:
		next.life, next.from, next.to = c.life, c.from, c.to
	}
	changed := next.present != before.present || next.text != before.text || next.life != before.life || cell.Life > 0
	c.held = next
	if c.now <= m.until && changed {
		c = c.remembering(before)
	}
	return []config{c}
}

// fits tells whether the model's reply is what the client saw, if it saw any.
func fits(reply, seen Outcome) bool { return seen.Result == Lost || reply == seen }

// cell is what a model sees of c.
func (c config) cell() Cell { return Cell{Present: c.present, Text: c.text, Timed: c.life > 0} }

// wiped is what may be held after a restart without data: nothing, or what was,
// since the key may have lived on another node.
func wiped(m *machine, c config) []config {
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
func fellBack(_ *machine, c config) []config {
	after := []config{c}
	after[0].past = nil
	for _, p := range c.past {
		after = append(after, config{held: p, now: c.now, used: c.used})
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
// later: it goes first.
func (m *machine) pair() {
	m.twin = make([]int, len(m.lost))
	for i, e := range m.lost {
		m.twin[i] = -1
		for j, before := range m.lost[:i] {
			if same(before.op, e.op) {
				m.twin[i] = j
			}
		}
	}
}

// same tells whether two unknown operations do the same.
func same(a, b *Operation) bool {
	x, y := *a, *b
	x.Client, x.Call = y.Client, y.Call
	return x == y
}
