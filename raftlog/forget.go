package raftlog

import (
	"errors"
	"fmt"
	"time"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// A node that is forgotten counts among those with a vote until the Raft group's
// configuration is without it. Were it and others lost before, nothing could be decided
// any more, though the members that are left be a majority. So whoever forgets a node
// is told so when it is out of the group.

// Forget ends the membership of a node, which may be this one, and returns when the
// node is out of the Raft group. That it is no member any more is fine, and if it is this
// one, it has written that down. An error that wraps ErrSeated says that it is forgotten,
// and still in the group as far as is known.
func (p *Plane) Forget(n slots.Node, id state.ID, patience time.Duration) (state.Outcome, error) {
	by := time.Now().Add(patience)
	entry := &state.Forget{Node: n}
	var lost error // of a try that may have been decided
	outcome, index, err := p.decided(entry, by)
	for errors.Is(err, ErrUnknown) {
		if lost = err; time.Until(by) <= 0 || !p.pause(p.options.Election/10) {
			break
		}
		outcome, index, err = p.decided(entry, by) // of two that are equal one is refused
	}
	switch {
	case err != nil && lost != nil:
		return outcome, fmt.Errorf("%w: send CLUSTER FORGET of node %v to a member again", lost, id)
	case err != nil, outcome.Refused() && outcome.Reason != state.UnknownNode:
		return outcome, err
	}
	if id == p.id {
		if err := p.leave(n); err != nil {
			return state.Outcome{}, err
		}
	}
	if err = p.Unseat(id, time.Until(by)); err == nil && id != p.id { // which may never hear of it
		err = p.awaitApplied(index, time.Until(by))
	}
	return state.Outcome{}, err
}

// ErrSeated says that a node which is forgotten may still count among the voters.
var ErrSeated = errors.New("forgotten, but not known to be out of the Raft group yet")

// Unseat returns when a node that is no member is out of the Raft group.
func (p *Plane) Unseat(id state.ID, patience time.Duration) error {
	for by := time.Now().Add(patience); ; {
		err := p.unseat(id, time.Until(by))
		if err == nil {
			return nil
		}
		if rest := time.Until(by); rest <= 0 || !p.pause(min(rest, p.options.Election/10)) {
			return fmt.Errorf("raftlog: node %v is %w (%w): keep a majority of those with a vote running, it included, and send CLUSTER FORGET of it to a member again", id, ErrSeated, err)
		}
	}
}

// unseat is one try of it: the leader has to see to it. Who is out of the group may
// not know who leads, and asks the members that it knows.
func (p *Plane) unseat(id state.ID, patience time.Duration) error {
	patience = min(patience, 4*p.options.Election)
	if p.raftIsLeader() {
		return p.expel(id, patience)
	}
	if to := p.leader(); to != "" {
		return p.call(to, callUnseat, expulsion{id}, nil, patience)
	}
	err := ErrNoLeader
	for _, m := range p.View().State.Members() {
		if m.ID == id || m.ID == p.id {
			continue
		}
		if err = p.call(nameOf(m.ID, &m.Address), callUnseat, expulsion{id}, nil, patience); err == nil {
			break
		}
	}
	return err
}

// expulsion asks the leader to have a node out of the Raft group.
type expulsion struct{ Node state.ID }

// expel has a node that is no member out of the Raft group, on the leader. Neither the
// one nor the other is known before a Barrier: what was decided may not be applied
// here yet, and the group's configuration not be committed.
func (p *Plane) expel(id state.ID, patience time.Duration) error {
	if id == p.id {
		return errNotLeader // for much longer: it hands the lead over
	}
	p.leading.seating.Lock()
	defer p.leading.seating.Unlock()
	out, term := !p.Seated(id), p.raft.CurrentTerm()
	if err := p.raft.Barrier(patience).Error(); err != nil {
		return err
	}
	switch {
	case p.View().State.ByID(id) != nil:
		return nil // it came back
	case out && p.raft.CurrentTerm() == term:
		return nil
	}
	return p.raft.RemoveServer(serverOf(id), 0, patience).Error()
}
