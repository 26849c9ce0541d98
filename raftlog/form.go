package raftlog

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/bus"
	"github.com/elares/ironcache/raftlog/sparing"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// busOf is the address of a node's bus.
func busOf(a *state.Address) string { return net.JoinHostPort(a.Host, strconv.Itoa(int(a.BusPort))) }

// nameOf is how a node is dialled that no other may stand in for: one that comes
// to its address with another id must not vote for it.
func nameOf(id state.ID, a *state.Address) string { return bus.Name(busOf(a), bus.ID(id)) }

// greeting tells who this node is, to a node of which it may know.
func (p *Plane) greeting(to state.ID) greeting {
	v, raft := p.View(), p.inGroup()
	p.mu.Lock()
	defer p.mu.Unlock()
	return greeting{
		Founder: state.Founder{
			ID: p.id, Address: p.address, Incarnation: p.lease.incarnation, Speaks: state.NewestVersion, Owns: p.claims,
		},
		Raft: raft || p.suit.founding || p.bound != state.ID{}, Formed: v.State.Formed(), Cluster: v.State.Cluster(),
		Member: v.Self != slots.None, Knows: v.State.ByID(to) != nil,
	}
}

// form forms a cluster of the topology, if this node is the first of it, or goes
// on where an earlier life of the node was when it formed one.
func (p *Plane) form() {
	defer p.running.Done()
	first := len(p.options.Topology) > 0 && p.options.Topology[0].Bus == p.options.Bus()
	var unformed sparing.Kind
	for p.pause(p.options.Election) {
		var err error
		switch {
		case p.View().State.Formed():
			return
		case first:
			err = p.found()
		case p.begun():
			err = p.FormAlone()
		}
		if err == nil || p.View().State.Formed() {
			continue
		}
		if args, ok := unformed.Line(p.world.Clock.Monotonic(), "why", err); ok {
			p.log.Info("raftlog: the cluster is not formed yet", args...)
		}
	}
}

// found forms a cluster of the topology once every node of it is there, in no
// cluster, and promises to come into this one. If that fails the promises are given back.
func (p *Plane) found() error {
	p.meeting.Lock()
	defer p.meeting.Unlock()
	if !p.court() {
		return errPromised
	}
	entry, asked, err := p.woo()
	switch forms := p.courted(err == nil); {
	case forms && err == nil:
		return p.settle(entry)
	case !forms:
		for _, place := range asked {
			_, _ = p.ask(place.Bus, plea{Cluster: p.id, Off: true}) // else it ends by itself
		}
	}
	return cmp.Or(err, errPromised)
}

// woo asks the other nodes of the topology for their promises, and tells how a cluster of
// all begins, and which may have given one.
func (p *Plane) woo() (entry *state.Form, asked []Place, err error) {
	entry = &state.Form{}
	for i, place := range p.options.Topology {
		f := p.greeting(p.id).Founder
		if i > 0 {
			answer, err := p.ask(place.Bus, plea{Cluster: p.id})
			if !errors.Is(err, errNotSent) && answer.Why == "" {
				asked = append(asked, place)
			}
			if err == nil && answer.Why != "" {
				err = fmt.Errorf("node %s: %s", place.Bus, answer.Why)
			}
			if err != nil {
				return nil, asked, err
			}
			f = answer.Hello.Founder
		}
		f.Owns, f.Of = place.Owns, slots.Node(place.Of)
		if i < mostVoters {
			f.Suffrage = state.Voter
		}
		entry.Founders = append(entry.Founders, f)
	}
	return entry, asked, nil
}

// settle makes this node a Raft group of its own and has it decide the Form.
func (p *Plane) settle(entry *state.Form) error {
	if err := p.bind(p.id); err != nil {
		return err
	}
	if !p.inGroup() {
		err := p.raft.BootstrapCluster(raft.Configuration{Servers: []raft.Server{{
			ID: serverOf(p.id), Address: raft.ServerAddress(nameOf(p.id, &p.address)),
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
	if err := p.claimsFixed(); err != nil {
		return err
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

// claimsFixed tells why claims cannot change now, if they cannot: whoever takes the node in
// may have been told of those that there are. The lock is held.
func (p *Plane) claimsFixed() error {
	switch {
	case p.view.Load().Self == slots.None && max(p.was, p.left) != slots.None:
		return errNotAMember
	case p.state.Formed():
		return errors.New("raftlog: the node is in a cluster, which decides on slots")
	case p.bound != state.ID{}: // as after a start, before the log is read
		return errors.New("raftlog: the node has yet to hear from its cluster: try again")
	case p.world.Clock.Boot() < p.suit.until:
		return errors.New("raftlog: the node has agreed to come into a cluster, which has yet to take it in: try again")
	}
	return nil
}

// FormAlone makes a cluster of this node and its claims.
func (p *Plane) FormAlone() error {
	p.meeting.Lock()
	defer p.meeting.Unlock()
	if !p.court() || !p.courted(true) {
		return errPromised
	}
	return p.formAlone()
}

func (p *Plane) formAlone() error {
	if err := p.bind(p.id); err != nil { // from now on there are no further claims
		return err
	}
	self := p.greeting(p.id).Founder
	self.Suffrage = state.Voter
	return p.settle(&state.Form{Founders: []state.Founder{self}})
}

// Unclaim gives claimed slots back.
func (p *Plane) Unclaim(ranges []slots.Range) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.claimsFixed(); err != nil {
		return err
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
