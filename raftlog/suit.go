package raftlog

import (
	"bytes"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// Nodes in no cluster that are to come together must not all form one: clusters
// do not merge. So whoever wants to form one, or to take a node into one, asks the
// other for its promise to come into that cluster and no other. A node that has
// given its promise forms none itself. Of two that ask one another at the same
// time, the one with the higher id gives way; so nodes cannot wait for one another
// in a circle, however many there are: each in the circle that asks would have to
// have given way to a lower id.
//
// A promise ends after a while, in case the other is gone; who is started anew meanwhile
// keeps it for as long once more. If a node stands still for longer than that between being
// promised and forming its cluster, there may still be two, and MEET says so.

// promiseTime is how long a promise holds, by the clock of the one who gave it.
const promiseTime = 2 * callTime

// suit is a node's part in coming together, while it is in no cluster. It is under
// the plane's lock.
type suit struct {
	courting bool     // it asks others whether they would come into a cluster that it forms
	founding bool     // it forms one, and can come into no other any more
	promised state.ID // the cluster that it has promised to come into
	until    int64    // when the promise ends, by the Boot clock
}

// plea asks for a promise.
type plea struct {
	Cluster state.ID // its id is that of the node that forms it
	Formed  bool     // it is there already
	Off     bool     // the promise is not wanted any more
}

// consent is the answer, and that of callJoin.
type consent struct {
	Why   string // why not; empty: the promise is given
	Hello greeting
}

// promise gives a promise, or tells why not. It is an invitation, which is kept when the
// promise has ended.
func (p *Plane) promise(r plea) (why string) {
	p.binding.Lock()
	defer p.binding.Unlock()
	if why := p.agree(r); why != "" || r.Off {
		return why
	}
	if bound, invited := p.ties(); bound == r.Cluster || invited == r.Cluster {
		return ""
	}
	if err := p.tie(invitedKey, &p.invited, r.Cluster); err != nil {
		p.agree(plea{Cluster: r.Cluster, Off: true})
		p.log.Error("raftlog: this node cannot agree to come into a cluster", "err", err)
		return "it cannot write that down"
	}
	return ""
}

// agree gives a promise as long as the node runs.
func (p *Plane) agree(r plea) (why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, now := &p.suit, p.world.Clock.Boot()
	switch {
	case r.Off:
		if s.promised == r.Cluster {
			s.until = 0
		}
		return ""
	case p.state.Formed(), s.founding, p.bound != state.ID{} && p.bound != r.Cluster:
		return "it is in a cluster, or forms one"
	case s.promised != r.Cluster && now < s.until:
		return "it has agreed to join another cluster"
	case s.courting && !r.Formed && bytes.Compare(p.id[:], r.Cluster[:]) < 0:
		return "it is about to form a cluster"
	}
	s.keep(r.Cluster, now)
	return ""
}

// keep holds a promise from now on.
func (s *suit) keep(cluster state.ID, now int64) {
	s.promised, s.until = cluster, now+int64(promiseTime)
}

// court begins to ask others, unless this node has promised itself, belongs to a cluster
// that it does not know yet, or has left its own.
func (p *Plane) court() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	free := p.bound == state.ID{} || p.bound == p.id && p.left == slots.None
	p.suit.courting = free && p.world.Clock.Boot() >= p.suit.until
	return p.suit.courting
}

// courted ends that, and tells whether this node is now to form a cluster: if the
// others have promised to come into it, and it has given no promise meanwhile.
func (p *Plane) courted(promised bool) (found bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &p.suit
	s.courting = false
	s.founding = s.founding || promised && p.world.Clock.Boot() >= s.until
	return s.founding
}

// ask asks the node at an address for its promise.
func (p *Plane) ask(to string, r plea) (answer consent, err error) {
	err = p.call(to, callCourt, r, &answer, p.patience())
	return answer, err
}
