package raftlog

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// busOf is the address of a node's bus.
func busOf(a *state.Address) string { return net.JoinHostPort(a.Host, strconv.Itoa(int(a.BusPort))) }

// greeting tells who this node is.
func (p *Plane) greeting() greeting {
	v := p.View()
	p.mu.Lock()
	defer p.mu.Unlock()
	return greeting{
		Founder: state.Founder{
			ID: p.id, Address: p.address, Incarnation: p.lease.incarnation, Speaks: state.NewestVersion, Owns: p.claims,
		},
		Raft: p.inGroup(), Formed: v.State.Formed(),
	}
}

// inGroup tells whether the node has a part in a Raft group.
func (p *Plane) inGroup() bool {
	future := p.raft.GetConfiguration()
	return future.Error() == nil && len(future.Configuration().Servers) > 0
}

// form forms a cluster of the topology, if this node is the first of it.
func (p *Plane) form() {
	defer p.running.Done()
	if len(p.options.Topology) == 0 || p.options.Topology[0].Bus != p.busAddress() {
		return
	}
	for p.pause(p.options.Election) {
		if p.View().State.Formed() {
			return
		}
		if err := p.found(); err != nil {
			p.log.Info("raftlog: the cluster is not formed yet", "why", err)
		}
	}
}

// found forms a cluster of the topology once every node of it is there and in
// no cluster.
func (p *Plane) found() error {
	entry := state.Form{}
	for i, place := range p.options.Topology {
		hello := p.greeting()
		if i > 0 {
			if err := p.call(place.Bus, callHello, struct{}{}, &hello, p.patience()); err != nil {
				return err
			}
			if hello.Raft || hello.Formed {
				return fmt.Errorf("node %s is in a cluster already", place.Bus)
			}
		}
		f := hello.Founder
		f.Owns, f.Of = place.Owns, slots.Node(place.Of)
		if i < mostVoters {
			f.Suffrage = state.Voter
		}
		entry.Founders = append(entry.Founders, f)
	}
	return p.settle(&entry)
}

// settle makes this node a Raft group of its own and has it decide the Form.
func (p *Plane) settle(entry *state.Form) error {
	if !p.inGroup() {
		err := p.raft.BootstrapCluster(raft.Configuration{Servers: []raft.Server{{
			ID: raft.ServerID(p.id.String()), Address: raft.ServerAddress(p.busAddress()),
		}}}).Error()
		if err != nil && !errors.Is(err, raft.ErrCantBootstrap) {
			return fmt.Errorf("raftlog: begin a Raft group: %w", err)
		}
	}
	for try := 0; !p.raftIsLeader(); try++ {
		if try == 100 || !p.pause(p.options.Election/10) {
			return ErrNoLeader
		}
	}
	outcome, err := p.Propose(entry, 4*p.options.Election)
	if err == nil && outcome.Refused() {
		err = fmt.Errorf("raftlog: the cluster was not formed: %s", outcome.Sentence)
	}
	return err
}

// Claim keeps slots for this node until it is in a cluster. A slot that it
// claims already is named in the error.
func (p *Plane) Claim(ranges []slots.Range) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state.Formed() {
		return errors.New("raftlog: the node is in a cluster, which decides on slots")
	}
	for _, r := range ranges {
		for _, has := range p.claims {
			if r.First <= has.Last && has.First <= r.Last {
				return fmt.Errorf("slot %d is already busy", max(r.First, has.First))
			}
		}
	}
	p.claims = slots.Compact(slices.Concat(p.claims, ranges))
	p.publish(0)
	return nil
}

// FormAlone makes a cluster of this node and its claims.
func (p *Plane) FormAlone() error {
	p.meeting.Lock()
	defer p.meeting.Unlock()
	return p.formAlone()
}

func (p *Plane) formAlone() error {
	self := p.greeting().Founder
	self.Suffrage = state.Voter
	return p.settle(&state.Form{Founders: []state.Founder{self}})
}

// Unclaim gives claimed slots back.
func (p *Plane) Unclaim(ranges []slots.Range) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state.Formed() {
		return errors.New("raftlog: the node is in a cluster, which decides on slots")
	}
	left := p.claims
	for _, r := range ranges {
		at := slices.IndexFunc(left, func(has slots.Range) bool { return has.First <= r.First && r.Last <= has.Last })
		if at < 0 {
			return fmt.Errorf("slot %d is already unassigned", r.First)
		}
		left = slices.Replace(slices.Clone(left), at, at+1, around(left[at], r)...)
	}
	p.claims = left
	p.publish(0)
	return nil
}

// around is what is left of a range when a part of it is taken out.
func around(whole, part slots.Range) (left []slots.Range) {
	if whole.First < part.First {
		left = append(left, slots.Range{First: whole.First, Last: part.First - 1})
	}
	if part.Last < whole.Last {
		left = append(left, slots.Range{First: part.Last + 1, Last: whole.Last})
	}
	return left
}

// Meet brings the node at an address of a bus and this one into one cluster:
// the one that is in none joins that of the other. If neither is in one, this
// node forms one first. It returns when both know the cluster.
func (p *Plane) Meet(to string) error {
	p.meeting.Lock()
	defer p.meeting.Unlock()
	var other greeting
	if err := p.call(to, callHello, struct{}{}, &other, p.patience()); err != nil {
		return err
	}
	if other.Raft && !other.Formed { // it is about to be in a cluster
		if err := p.untilFormed(to, &other); err != nil {
			return err
		}
	}
	here := p.View().State.Formed()
	switch {
	case other.Founder.ID == p.id, here && p.member(other.Founder.ID):
		return nil
	case here && other.Formed:
		return fmt.Errorf("raftlog: node %v is in another cluster, and clusters do not merge", other.Founder.ID)
	case other.Formed:
		if err := p.call(to, callJoin, p.greeting(), nil, callTime); err != nil {
			return err
		}
		return p.untilMember()
	case !here:
		if err := p.formAlone(); err != nil {
			return err
		}
		if err := p.call(to, callHello, struct{}{}, &other, p.patience()); err != nil {
			return err
		}
		if other.Raft || other.Formed {
			return fmt.Errorf("raftlog: node %v came into another cluster at the same time", other.Founder.ID)
		}
	}
	if err := p.admit(other); err != nil {
		return err
	}
	return p.untilFormed(to, &other)
}

// untilFormed waits until another node knows its cluster.
func (p *Plane) untilFormed(to string, other *greeting) error {
	for range 40 {
		err := p.call(to, callHello, struct{}{}, other, p.patience())
		if err == nil && other.Formed {
			return nil
		}
		if !p.pause(p.options.Election / 2) {
			return ErrClosed
		}
	}
	return fmt.Errorf("%w: node %v does not know its cluster yet", ErrUnknown, other.Founder.ID)
}

// untilMember waits until this node knows that it is in a cluster.
func (p *Plane) untilMember() error {
	for range 40 {
		if p.View().Self != slots.None {
			return nil
		}
		if !p.pause(p.options.Election / 2) {
			return ErrClosed
		}
	}
	return fmt.Errorf("%w: this node has joined, and did not hear from the cluster yet", ErrUnknown)
}

func (p *Plane) member(id state.ID) bool {
	v := p.View()
	return v.State.ByID(id) != nil
}

// admit makes another node a member.
func (p *Plane) admit(other greeting) error {
	f := other.Founder
	outcome, err := p.Propose(&state.Join{
		ID: f.ID, Address: f.Address, Incarnation: f.Incarnation, Speaks: f.Speaks, Claims: f.Owns,
	}, callTime)
	if err == nil && outcome.Refused() && outcome.Reason != state.KnownNode {
		err = fmt.Errorf("raftlog: node %v was not admitted: %s", f.ID, outcome.Sentence)
	}
	return err
}

// joinOf answers a node that wants to join.
func (p *Plane) joinOf(from greeting) (any, error) {
	if !p.View().State.Formed() {
		return nil, errors.New("this node is in no cluster")
	}
	return struct{}{}, p.admit(from)
}
