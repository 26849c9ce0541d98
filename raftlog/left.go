package raftlog

import (
	"fmt"
	"slices"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// A node that is no member any more may never apply the entry that says so: whoever is out
// of the Raft group is sent nothing. And one that has applied it may start from a snapshot
// of before. So it writes down by which number it was a member, and from then on is none
// by that number, whatever its state says. Numbers are given once: who is taken in anew has
// a higher one. So the note stays, and there is no moment at which a crash could lose it.
//
// A node that was forgotten while it was down or cut off is sent nothing when it is back: as
// far as it knows nobody leads. So it asks the members that it knows, one after the other.
// One answer is enough, whoever gives it: who has seen its number given, and sees no member of
// that number, has seen what was decided and is never taken back. Who is behind sees the
// member, or has not seen the number given.

// leftKey is where that number is kept.
var leftKey = []byte("ironcache-left")

// recallLeft reads the number by which the node was a member last.
func (p *Plane) recallLeft() error {
	n, err := p.store.Stable.GetUint64(leftKey)
	p.left = slots.Node(n)
	return err
}

// leave writes down that the node is no member by a number any more, and has it go by that.
func (p *Plane) leave(n slots.Node) error {
	p.binding.Lock()
	defer p.binding.Unlock()
	if n <= p.hasLeft() {
		return nil
	}
	if err := (values{p.store.Stable}).SetUint64(leftKey, uint64(n)); err != nil {
		return fmt.Errorf("raftlog: write down that this node is no member any more: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = n
	p.publish(0)
	return nil
}

func (p *Plane) hasLeft() slots.Node {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left
}

// noteLeft writes down that the node's membership is over, if it has heard of that.
func (p *Plane) noteLeft() error {
	p.mu.Lock()
	n := p.was
	over := p.state.Removed(n)
	p.mu.Unlock()
	if !over {
		return nil
	}
	return p.leave(n)
}

// placeIn has a View that is made know whether the node is a member. The lock is held.
func (p *Plane) placeIn(v *View) {
	if v.Self <= p.left {
		v.Self = slots.None
	} else {
		p.was = v.Self
	}
}

// unled is how many periods of renewal a node waits for a leader before it asks others
// whether it is a member at all.
const unled = 3

// inquire asks a member that the node knows, another one each time, if nobody leads for
// long. The goroutine that renews calls it.
func (p *Plane) inquire() {
	v := p.View()
	if v.Self == slots.None || p.Leader() != "" {
		p.alone = 0
		return
	}
	p.alone++
	others := slices.DeleteFunc(slices.Clone(v.State.Members()), func(m *state.Member) bool { return m.ID == p.id })
	if p.alone <= unled || len(others) == 0 {
		return
	}
	if m := others[p.alone%len(others)]; p.isLeft(v, m) {
		p.log.Warn("raftlog: this node was forgotten while it was down or cut off: CLUSTER MEET brings it back", "says", m)
		if err := p.leave(v.Self); err != nil {
			p.unannounced(err.Error())
		}
	}
}

// isLeft asks a member of a View whether this node has left their cluster since.
func (p *Plane) isLeft(v *View, m *state.Member) bool {
	var answer greeting
	err := p.call(nameOf(m.ID, &m.Address), callHello, hello{p.id, v.Self}, &answer, p.patience())
	return err == nil && answer.Formed && answer.Cluster == v.State.Cluster() && answer.Left
}
