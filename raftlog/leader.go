package raftlog

import (
	"sync"
	"time"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/sim/invariant"
	"github.com/elares/ironcache/slots"
)

// leading is what a node does while it leads.
type leading struct {
	plane *Plane

	mu      sync.Mutex
	asked   map[slots.Node]renewal // since the last Renew
	wake    chan struct{}
	applied map[slots.Node]uint64 // how far nodes said they have applied the log

	// When this node applied nodes' last Renews. Kept while it does not lead, too.
	renewed map[slots.Node]marks

	// Held from the look at the View to the change of the Raft group's configuration
	// that it calls for: nobody gets a vote because of a View that is over.
	seating sync.Mutex

	// A map in which no slot is orphaned: maps never change, and to look through
	// one takes long. Only the goroutine that leads knows it.
	settled *slots.Map
}

// marks are of the last Renew of a node's incarnation, and of the last one of
// those before: the leases of both may have to be waited out.
type marks struct{ renew, former mark }

// find gives the mark of an entry.
func (m *marks) find(index uint64) (at int64, found bool) {
	for _, known := range []mark{m.renew, m.former} {
		if known.index == index {
			return known.at, true
		}
	}
	return 0, false
}

// mark is an index of the log with when it was applied here, by the Boot clock.
type mark struct {
	index uint64
	at    int64
}

func newLeading(p *Plane) *leading {
	return &leading{
		plane: p, asked: map[slots.Node]renewal{}, wake: make(chan struct{}, 1),
		applied: map[slots.Node]uint64{}, renewed: map[slots.Node]marks{},
	}
}

// take notes a request for renewal.
func (l *leading) take(ask renewal) {
	l.mu.Lock()
	l.asked[ask.Node] = ask
	l.applied[ask.Node] = max(l.applied[ask.Node], ask.Applied)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// noteRenewals remembers when Renews were applied, and tells it for each of the
// members. The plane's lock is held.
func (p *Plane) noteRenewals(members []*state.Member) []int64 {
	l := p.leading
	l.mu.Lock()
	defer l.mu.Unlock()
	heard := make([]int64, len(members))
	for i, m := range members {
		was, known := l.renewed[m.Number]
		is := was
		if m.Former != was.former.index {
			if is.former = was.renew; m.Former != was.renew.index {
				is.former = mark{m.Former, p.world.Clock.Boot()}
			}
		}
		if m.Renew.Index != was.renew.index || !known {
			is.renew = mark{m.Renew.Index, p.world.Clock.Boot()}
		}
		l.renewed[m.Number] = is
		heard[i] = max(is.renew.at, is.former.at)
	}
	return heard
}

// lead does a leader's duties whenever this node leads. The library's channel holds
// the last change alone: what comes while this node leads is seen afterwards.
func (p *Plane) lead() {
	defer p.running.Done()
	for {
		select {
		case <-p.closed:
			return
		case <-p.raft.LeaderCh():
		}
		for p.raftIsLeader() {
			p.term()
			if !p.pause(p.options.Election / 10) {
				return
			}
		}
	}
}

// abdicate hands the lead over if this node is no member any more, and tells
// whether it is none. Who is to take over may have to be given a vote first.
func (p *Plane) abdicate() bool {
	v := p.View()
	if !v.State.Formed() || v.Self != slots.None {
		return false
	}
	p.reconcile()
	if err := p.raft.LeadershipTransfer().Error(); err != nil {
		p.log.Debug("raftlog: this node was forgotten, and its lead not taken over yet", "err", err)
	}
	return true
}

// term does them for as long as it leads.
func (p *Plane) term() {
	if err := p.raft.Barrier(p.options.Election * 4).Error(); err != nil {
		return
	}
	if p.abdicate() || !p.begin() {
		return
	}
	since := p.world.Clock.Boot()
	gather := time.Duration(p.lease.Period() / 10)
	for p.raftIsLeader() && !p.abdicate() {
		select {
		case <-p.closed:
			return
		case <-p.leading.wake:
			if !p.pause(gather) {
				return
			}
			p.grant()
		case <-time.After(p.options.Election / 2):
		}
		p.reassign(since)
		p.reconcile()
	}
}

// begin commits the barrier from which this leader counts all leases. In a
// cluster that is not formed yet there are none.
func (p *Plane) begin() bool {
	v := p.View()
	if !v.State.Formed() {
		return true
	}
	if v.Self == slots.None {
		return false
	}
	term := p.raft.CurrentTerm()
	if _, err := p.Propose(&state.Barrier{Leader: v.Self, Term: term}, p.options.Election*4); err != nil {
		p.log.Debug("raftlog: the barrier of this term is not known to be applied", "term", term, "err", err)
	}
	// It may be there although the answer was lost, or an earlier try may have
	// put it there.
	has := p.View().State.Barrier()
	return has.Term == term && has.Leader == v.Self
}

// grant commits the renewals that were asked for.
func (p *Plane) grant() {
	l := p.leading
	l.mu.Lock()
	var entry state.Renew
	for _, m := range p.View().State.Members() { // in order of numbers
		if ask, ok := l.asked[m.Number]; ok {
			entry.Requests = append(entry.Requests, state.Request{Node: ask.Node, By: ask.By})
		}
	}
	clear(l.asked)
	l.mu.Unlock()
	if len(entry.Requests) == 0 {
		return
	}
	if _, err := p.Propose(&entry, p.options.Election*2); err != nil {
		p.log.Debug("raftlog: leases were not renewed", "err", err)
	}
}

// reassign gives slots back to owners that were started anew, when nobody can
// hold a lease on them any more.
func (p *Plane) reassign(since int64) {
	v := p.View()
	if v.Map == p.leading.settled {
		return
	}
	if !orphaned(v.Map) {
		p.leading.settled = v.Map
		return
	}
	for _, m := range v.State.Members() {
		spans, waited := p.orphans(v, m)
		if len(spans) == 0 || !p.waitedOut(m.Number, waited, since) {
			continue
		}
		outcome, err := p.Propose(&state.Assign{
			How: state.Resume, To: m.Number, Incarnation: m.Stamp.Incarnation, From: m.Number, Waited: waited, Spans: spans,
		}, p.options.Election*2)
		if err != nil || outcome.Refused() {
			p.log.Debug("raftlog: slots were not given back", "to", m.Number, "err", err, "outcome", outcome)
		} else if waited != 0 {
			invariant.Reached("lease waited out")
		}
	}
}

// orphaned tells whether any slot waits to be given back to its owner.
func orphaned(m *slots.Map) bool {
	for _, s := range m.Runs() {
		if s.Standing == slots.Orphaned {
			return true
		}
	}
	return false
}

// orphans lists the slots that a member owns and may not serve since its start,
// and the renewal that must be waited out first.
func (p *Plane) orphans(v *View, m *state.Member) (spans []state.Span, waited uint64) {
	if m.Renew.Index == 0 {
		return nil, 0 // it has not asked for a lease yet
	}
	for r, s := range v.Map.Runs() {
		if s.Owner == m.Number && s.Standing == slots.Orphaned {
			spans = append(spans, state.Span{Range: r, Epoch: s.Epoch})
		}
	}
	return spans, m.Former
}

// waitedOut tells whether every lease of a member is over that was granted by a
// renewal or an earlier one. What this node knows of the renewal is when it
// applied it, which was no sooner than when it was proposed. A lease that was
// granted before this node led counts from its barrier.
func (p *Plane) waitedOut(n slots.Node, renewal uint64, since int64) bool {
	if renewal == 0 {
		return true
	}
	p.leading.mu.Lock()
	defer p.leading.mu.Unlock()
	known := p.leading.renewed[n]
	at, found := known.find(renewal)
	return found && p.lease.Over(max(since, at), p.world.Clock.Boot())
}
