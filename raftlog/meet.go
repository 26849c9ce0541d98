package raftlog

import (
	"errors"
	"fmt"
	"time"

	"github.com/elares/ironcache/raftlog/state"
)

// meetTime bounds a Meet.
const meetTime = 2 * callTime

// Meet brings the node at an address of a bus and this one into one cluster:
// the one that is in none joins that of the other. If neither is in one, one of
// them forms one first. A member that was forgotten comes back. It returns when
// both know of one another.
func (p *Plane) Meet(to string) error {
	p.meeting.Lock()
	defer p.meeting.Unlock()
	var other greeting
	if err := p.call(to, callHello, hello{From: p.id}, &other, p.patience()); err != nil {
		return err
	}
	for by := time.Now().Add(meetTime); ; {
		met, err := p.approach(to, &other)
		if met || !errors.Is(err, errLater) {
			return err
		}
		if time.Now().After(by) {
			return fmt.Errorf("%w: this node and %s do not know of one another yet: %w", ErrUnknown, to, err)
		}
		if !p.pause(p.options.Election / 2) {
			return ErrClosed
		}
		_ = p.call(to, callHello, hello{From: p.id}, &other, p.patience()) // if it fails, what was known is good enough
	}
}

// errLater says that something else has to happen first, which is under way.
var errLater = errors.New("not yet")

// approach does what brings two nodes nearer to being in one cluster, as they are
// now, and tells whether they are.
func (p *Plane) approach(to string, other *greeting) (met bool, err error) {
	own, id := p.greeting(other.Founder.ID), other.Founder.ID
	switch {
	case id == p.id, own.Knows && other.Knows && own.Member && other.Member:
		return true, nil
	case own.Formed && other.Formed && own.Cluster != other.Cluster:
		return false, fmt.Errorf("raftlog: node %v is in another cluster, and clusters do not merge", id)
	case other.Formed && !other.Knows:
		return false, p.joinWith(to, &own, other)
	case other.Formed && !own.Member, own.Knows: // it is known there already
		p.inviteAgain(to, &own, other)
		return false, errLater
	case own.Formed && !own.Member:
		return false, errNotAMember
	case own.Formed:
		return false, p.takeIn(to, &own, other)
	case other.Raft:
		return false, fmt.Errorf("%w: node %v forms a cluster", errLater, id)
	}
	return false, p.foundWith(to, id)
}

var (
	errPromised   = fmt.Errorf("raftlog: %w: this node has agreed to join another cluster", errLater)
	errNotAMember = errors.New("raftlog: this node is no member of its cluster any more: it has to MEET a member first")
)

// inviteAgain is for a node that one of the two knows as a member, and that knows of
// nothing: it may have agreed to come into another cluster since, so that it does not let
// its own in.
func (p *Plane) inviteAgain(to string, own, other *greeting) {
	switch {
	case !own.Formed:
		p.promise(plea{Cluster: other.Cluster, Formed: true})
	case !other.Formed:
		_, _ = p.ask(to, plea{Cluster: own.Cluster, Formed: true})
	}
}

// joinWith has this node join the cluster of another.
func (p *Plane) joinWith(to string, own, other *greeting) error {
	if !other.Member {
		return fmt.Errorf("raftlog: node %v is no member of its cluster any more: MEET another", other.Founder.ID)
	}
	if !own.Formed && p.promise(plea{Cluster: other.Cluster, Formed: true}) != "" {
		return errPromised
	}
	var answer consent
	if err := p.call(to, callJoin, p.greeting(other.Founder.ID), &answer, callTime); err != nil {
		return fmt.Errorf("%w: %w", errLater, err)
	}
	if answer.Why != "" {
		p.promise(plea{Cluster: other.Cluster, Off: true})
		return errors.New("raftlog: " + answer.Why)
	}
	return errLater
}

// takeIn has another node join this node's cluster, or come back to it.
func (p *Plane) takeIn(to string, own, other *greeting) error {
	if !other.Formed {
		answer, err := p.ask(to, plea{Cluster: own.Cluster, Formed: true})
		if err != nil {
			return errors.Join(errLater, err)
		}
		if answer.Why != "" {
			return fmt.Errorf("%w: node %v: %s", errLater, other.Founder.ID, answer.Why)
		}
		other = &answer.Hello
	}
	outcome, err := p.admit(other)
	if err == nil && outcome.Refused() {
		_, _ = p.ask(to, plea{Cluster: own.Cluster, Off: true})
		return notAdmitted(other, outcome)
	}
	return errors.Join(errLater, err)
}

// foundWith forms a cluster for this node and another, if that is for this one to
// do.
func (p *Plane) foundWith(to string, other state.ID) error {
	if !p.court() {
		return errPromised
	}
	answer, err := p.ask(to, plea{Cluster: p.id})
	yes := err == nil && answer.Why == ""
	switch {
	case p.courted(yes):
		return errors.Join(errLater, p.formAlone())
	case err != nil:
		return fmt.Errorf("%w: node %v: %w", errLater, other, err)
	case !yes:
		return fmt.Errorf("%w: node %v: %s", errLater, other, answer.Why)
	}
	_, _ = p.ask(to, plea{Cluster: p.id, Off: true})
	return errPromised
}

// admit makes another node a member; that it is one already is fine.
func (p *Plane) admit(other *greeting) (state.Outcome, error) {
	f := other.Founder
	outcome, err := p.Propose(&state.Join{
		ID: f.ID, Address: f.Address, Incarnation: f.Incarnation, Speaks: f.Speaks, Claims: f.Owns,
	}, callTime)
	if outcome.Reason == state.KnownNode {
		outcome = state.Outcome{}
	}
	return outcome, err
}

func notAdmitted(other *greeting, o state.Outcome) error {
	return fmt.Errorf("raftlog: node %v was not admitted: %s", other.Founder.ID, o.Sentence)
}

// joinOf answers a node that wants to join.
func (p *Plane) joinOf(from greeting) (any, error) {
	if own := p.greeting(from.Founder.ID); !own.Member {
		return consent{Why: "the node that was asked is in no cluster"}, nil
	}
	outcome, err := p.admit(&from)
	if err == nil && outcome.Refused() {
		return consent{Why: notAdmitted(&from, outcome).Error()}, nil
	}
	return consent{}, err
}
