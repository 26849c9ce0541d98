package raftlog

import (
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim/invariant"
)

// Errors of Propose.
var (
	// ErrNoLeader says that nobody leads, so that the entry was not proposed.
	ErrNoLeader = errors.New("raftlog: the cluster has no leader now")
	// ErrUnknown says that the entry may have been applied, may be later, or
	// may never be.
	ErrUnknown = errors.New("raftlog: the outcome is not known")
	// ErrUnheard says that the entry was decided, as the Outcome has it, and that
	// this node has not heard of it yet.
	ErrUnheard = fmt.Errorf("%w: it was decided, and this node has not heard of it yet", ErrUnknown)
	// ErrClosed says that the plane was closed.
	ErrClosed = errors.New("raftlog: closed")
)

// Propose has the cluster decide an entry, through its leader, and waits until
// the decision is applied here. While nobody leads it waits for somebody who does.
// An error other than ErrUnknown says that the entry will not be applied.
func (p *Plane) Propose(e state.Entry, patience time.Duration) (state.Outcome, error) {
	by := time.Now().Add(patience)
	outcome, index, err := p.decided(e, by)
	if err != nil {
		return outcome, err
	}
	return outcome, p.awaitApplied(index, time.Until(by))
}

// decided has the cluster decide an entry, and gives its index. It need not be applied
// here yet.
func (p *Plane) decided(e state.Entry, by time.Time) (state.Outcome, uint64, error) {
	data, err := state.Encode(e)
	if err != nil {
		return state.Outcome{}, 0, err
	}
	for {
		outcome, index, err := p.propose(data, time.Until(by))
		rest := time.Until(by)
		if !errors.Is(err, ErrNoLeader) || rest <= 0 || !p.pause(min(rest, p.options.Election/10)) {
			return outcome, index, err
		}
	}
}

// propose is one try of it.
func (p *Plane) propose(data []byte, patience time.Duration) (state.Outcome, uint64, error) {
	var v verdict
	switch to := p.leader(); {
	case p.raftIsLeader():
		v = p.decide(proposal{data, patience})
	case to != "":
		v = p.forward(to, proposal{data, patience})
	default:
		return state.Outcome{}, 0, ErrNoLeader
	}
	switch {
	case v.Err != "" && v.Never:
		return state.Outcome{}, 0, fmt.Errorf("%w: %s", ErrNoLeader, v.Err)
	case v.Err != "":
		invariant.Reached("outcome of an entry unknown")
		return state.Outcome{}, 0, fmt.Errorf("%w: %s", ErrUnknown, v.Err)
	}
	return state.Outcome{Reason: v.Reason, Sentence: v.Text}, v.Index, nil
}

// forward sends an entry to the leader.
func (p *Plane) forward(to string, ask proposal) (v verdict) {
	if err := p.call(to, callPropose, ask, &v, ask.Patience); err != nil {
		return verdict{Err: err.Error(), Never: errors.Is(err, errNotSent)}
	}
	return v
}

// decide puts an entry into the log, on the leader.
func (p *Plane) decide(ask proposal) verdict {
	future := p.raft.Apply(ask.Entry, ask.Patience)
	err := future.Error()
	switch {
	case errors.Is(err, raft.ErrNotLeader), errors.Is(err, raft.ErrEnqueueTimeout), errors.Is(err, raft.ErrLeadershipTransferInProgress):
		return verdict{Err: err.Error(), Never: true}
	case err != nil:
		return verdict{Err: err.Error()}
	}
	done := future.Response().(applied)
	p.spread(done.index)
	return verdict{Reason: done.outcome.Reason, Text: done.outcome.Sentence, Index: done.index}
}

// spread lets the other nodes know at once that an entry was decided, on the leader.
// They hear of it with the next entry, so one that says nothing follows if no other
// has; the library by itself would tell them after its CommitTimeout.
func (p *Plane) spread(index uint64) {
	if p.raft.LastIndex() == index && len(p.servers()) > 1 {
		p.raft.Barrier(p.options.Election) // nobody waits for it
	}
}

// awaitApplied waits until an index of the log is applied here.
func (p *Plane) awaitApplied(index uint64, patience time.Duration) error {
	switch {
	case p.Await(func(v *View) bool { return v.Index >= index }, patience):
		return nil
	case p.over():
		return ErrClosed
	}
	return ErrUnheard
}

func (p *Plane) raftIsLeader() bool { return p.raft.State() == raft.Leader }

// Leader is the id of the node that leads, empty if none is known.
func (p *Plane) Leader() string {
	_, id := p.raft.LeaderWithID()
	return string(id)
}

// leader is how the leader is dialled, by its address and id; empty if none is
// known.
func (p *Plane) leader() string {
	address, _ := p.raft.LeaderWithID()
	return string(address)
}
