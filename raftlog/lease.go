package raftlog

import (
	"errors"
	"time"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// leasing is the holder's side of leases: which requests it sent when. It is
// under the plane's lock.
type leasing struct {
	slots.Lease
	incarnation uint64
	sequence    uint64
	sent        []sending // ascending, the last few
	told        string    // why this incarnation could not announce itself or has no lease, when that was last logged
}

// sending is a request that was sent.
type sending struct {
	sequence uint64
	at       int64 // Boot clock, read before it was sent
}

// remembered is how many requests are remembered: more than can be under way.
const remembered = 64

// next numbers a request and notes when it is sent.
func (l *leasing) next(now int64) state.Stamp {
	l.sequence++
	l.sent = append(l.sent, sending{l.sequence, now})
	if len(l.sent) > remembered {
		l.sent = l.sent[1:]
	}
	return state.Stamp{Incarnation: l.incarnation, Sequence: l.sequence}
}

// until is when the lease ends that the log granted last, 0 if it granted none
// to this incarnation.
func (l *leasing) until(m *state.Member) int64 {
	if m.Stamp.Incarnation != l.incarnation || m.Renew.Index == 0 {
		return 0
	}
	for _, s := range l.sent {
		if s.sequence == m.Renew.Sequence {
			return l.Until(s.at)
		}
	}
	return 0
}

// stamp numbers a request of this node that is sent now.
func (p *Plane) stamp() state.Stamp {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lease.next(p.world.Clock.Boot())
}

// renew asks for the node's lease to be renewed, over and over.
func (p *Plane) renew() {
	defer p.running.Done()
	for p.pause(time.Duration(p.lease.Period())) {
		p.kept.tidy()
		p.upkeep.note(writesLeft, p.noteLeft())
		p.inquire()
		v := p.View()
		m := v.Member()
		switch {
		case m == nil, p.Ailing() != nil:
			continue
		case m.Stamp.Incarnation < p.lease.incarnation:
			p.announce(v)
			continue
		case p.outrun(m.Stamp):
			const text = "raftlog: the cluster has had requests of this node that this process did not make, so that it asks for no lease: another process has its id, or its folder was put back as it once was"
			if p.newly(text) {
				p.log.Error(text+": stop the other, or remove the folder cluster in dir of this one and CLUSTER FORGET its id on a member", "id", p.id)
			}
			continue
		}
		p.request(v)
	}
}

// outrun tells whether a stamp, which the cluster has of this node, is of a request that
// this process did not make. It could take what was granted to another for its own.
func (p *Plane) outrun(has state.Stamp) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := &p.lease
	return has.Incarnation > own.incarnation || has.Incarnation == own.incarnation && has.Sequence > own.sequence
}

// announce tells the cluster that this incarnation runs, and where.
func (p *Plane) announce(v *View) {
	p.mu.Lock()
	p.lease.sequence++
	by := state.Stamp{Incarnation: p.lease.incarnation, Sequence: p.lease.sequence}
	p.mu.Unlock()
	outcome, err := p.Propose(&state.Announce{Node: v.Self, By: by, Speaks: state.NewestVersion, Address: p.address}, p.patience())
	if err == nil && outcome.Refused() {
		err = errors.New(outcome.Sentence)
	}
	if err != nil {
		p.unannounced(err.Error())
	}
}

// unannounced tells why this incarnation could not announce itself, once as long as that is
// the same: where nobody leads, or the node was forgotten, it tries on and on.
func (p *Plane) unannounced(why string) {
	if p.newly(why) {
		p.log.Info("raftlog: this node could not announce itself yet", "why", why)
	}
}

// newly tells whether a reason why this incarnation has no lease is another than the last.
func (p *Plane) newly(why string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	same := p.lease.told == why
	p.lease.told = why
	return !same
}

// request sends one request for renewal to the leader.
func (p *Plane) request(v *View) {
	ask := renewal{Node: v.Self, By: p.stamp(), Applied: v.Index}
	if p.raftIsLeader() {
		p.leading.take(ask)
		return
	}
	to := p.leader()
	if to == "" {
		return
	}
	if err := p.call(to, callRenew, ask, nil, p.patience()); err != nil {
		p.log.Debug("raftlog: a request for renewal was lost", "leader", to, "err", err)
	}
}

// patience is how long one call to another node may take.
func (p *Plane) patience() time.Duration { return time.Duration(p.lease.Period()) }

// pause waits for a span, and reports false once the plane is closed.
func (p *Plane) pause(span time.Duration) bool {
	timer := time.NewTimer(span)
	defer timer.Stop()
	select {
	case <-p.closed:
		return false
	case <-timer.C:
		return true
	}
}
