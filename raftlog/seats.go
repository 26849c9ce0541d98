package raftlog

import (
	"slices"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/bus"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim/invariant"
)

// serverOf is what a node is called in the Raft group.
func serverOf(id state.ID) raft.ServerID { return raft.ServerID(id.String()) }

// servers lists the nodes in the Raft group, as far as this one knows; none if it has no
// part in one.
func (p *Plane) servers() []raft.Server {
	return p.raft.GetConfiguration().Configuration().Servers // from memory: there is no error
}

// inGroup tells whether the node has a part in a Raft group.
func (p *Plane) inGroup() bool { return len(p.servers()) > 0 }

// begun tells whether the node has begun to form a cluster, by binding its disk to it or
// by a Raft group, which nobody has come into.
func (p *Plane) begun() bool {
	servers := p.servers()
	if len(servers) == 0 {
		return p.boundTo() == bus.ID(p.id)
	}
	return len(servers) == 1 && servers[0].ID == serverOf(p.id)
}

// Seated tells whether a node is in the Raft group, as far as this one knows.
func (p *Plane) Seated(id state.ID) bool {
	return slices.ContainsFunc(p.servers(), func(s raft.Server) bool { return s.ID == serverOf(id) })
}

// Voters is how many nodes have a vote: a majority of them decides.
func (p *Plane) Voters() (n int) {
	for _, s := range p.servers() {
		if s.Suffrage == raft.Voter {
			n++
		}
	}
	return n
}

// reconcile makes the Raft group's configuration what the state wants.
func (p *Plane) reconcile() {
	p.leading.seating.Lock()
	defer p.leading.seating.Unlock()
	v := p.View()
	if !v.State.Formed() {
		return
	}
	members := map[raft.ServerID]bool{}
	for _, m := range v.State.Members() {
		members[serverOf(m.ID)] = true
	}
	servers := map[raft.ServerID]raft.Server{}
	for _, s := range p.servers() {
		if servers[s.ID] = s; !members[s.ID] && s.ID != serverOf(p.id) {
			p.raft.RemoveServer(s.ID, 0, p.options.Election*2)
			return // one change at a time
		}
	}
	for _, m := range v.State.Members() {
		if has, known := servers[serverOf(m.ID)]; p.adjust(m, has, known) {
			return
		}
	}
}

// adjust makes one member's part in the Raft group what the state wants, and
// tells whether it changed something.
func (p *Plane) adjust(m *state.Member, has raft.Server, known bool) bool {
	id, at := serverOf(m.ID), raft.ServerAddress(nameOf(m.ID, &m.Address))
	patience := p.options.Election * 2
	switch {
	case !known || has.Address != at && has.Suffrage == raft.Nonvoter:
		p.raft.AddNonvoter(id, at, 0, patience)
	case has.Address != at:
		p.raft.AddVoter(id, at, 0, patience)
	case m.Suffrage == state.Voter && has.Suffrage == raft.Nonvoter && p.caughtUp(m):
		p.raft.AddVoter(id, at, 0, patience)
	case m.Suffrage == state.Learner && has.Suffrage == raft.Voter:
		p.raft.DemoteVoter(id, 0, patience)
	case m.Suffrage == state.Learner && has.Suffrage == raft.Nonvoter && p.caughtUp(m) && p.wantsVoters():
		outcome, err := p.Propose(&state.SetSuffrage{Node: m.Number, Suffrage: state.Voter}, patience)
		if err == nil && !outcome.Refused() {
			invariant.Reached("learner promoted")
			return true
		}
		return false
	default:
		return false
	}
	return true
}

// near is how many entries a learner may be behind to be given a vote.
const near = 64

// caughtUp tells whether a member has applied nearly all of what was decided. What
// the library appends for itself is not counted on either side.
func (p *Plane) caughtUp(m *state.Member) bool {
	p.leading.mu.Lock()
	defer p.leading.mu.Unlock()
	at, ok := p.leading.applied[m.Number]
	return ok && at+near >= p.View().Index
}

// mostVoters is how many members get a vote by themselves: more make every
// decision slower and the group hardly safer.
const mostVoters = 7

func (p *Plane) wantsVoters() bool {
	voters := 0
	for _, m := range p.View().State.Members() {
		if m.Suffrage == state.Voter {
			voters++
		}
	}
	return voters < mostVoters
}
