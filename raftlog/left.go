package raftlog

import (
	"fmt"

	"github.com/elares/ironcache/slots"
)

// A node that is no member any more may never apply the entry that says so: whoever is out
// of the Raft group is sent nothing. And one that has applied it may start from a snapshot
// of before. So it writes down by which number it was a member, and from then on is none
// by that number, whatever its state says. Numbers are given once: who is taken in anew has
// a higher one. So the note stays, and there is no moment at which a crash could lose it.

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
	if err := p.store.Stable.SetUint64(leftKey, uint64(n)); err != nil {
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
