package raftlog

import (
	"errors"
	"fmt"
	"time"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// yielding is what a migration's destination asks of its source.
type yielding struct {
	Slot uint16
	Move uint64
}

// Flip gives a slot that migrates to its destination. This node owns it and has
// stopped to serve it. It returns when it is known what was decided: after an error
// other than ErrClosed the node may serve the slot if it owns it still. Where an
// answer was lost the same is proposed again: of two that are equal one is refused.
func (p *Plane) Flip(slot uint16, move uint64, patience time.Duration) error {
	for unknown := false; ; {
		v := p.View()
		s := v.Map.At(slot)
		switch {
		case s.Via == move:
			return nil
		case s.Owner != v.Self || s.Move != move:
			return fmt.Errorf("raftlog: the migration of slot %d is over", slot)
		}
		outcome, err := p.Propose(&state.Flip{Slot: slot, Epoch: s.Epoch, Move: move}, patience)
		switch {
		case p.over():
			return ErrClosed
		case err == nil && outcome.Refused() && p.View().Map.At(slot) == s:
			return fmt.Errorf("raftlog: slot %d was not handed over: %s", slot, outcome.Sentence)
		case errors.Is(err, ErrUnknown):
			unknown = true
		case err != nil && !unknown:
			return err
		}
	}
}

// OnYield sets what hands a slot over to the destination of its migration when
// that asks for it. It may wait.
func (p *Plane) OnYield(do func(slot uint16, move uint64) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.yield = do
}

func (p *Plane) yields(ask yielding) error {
	p.mu.Lock()
	do := p.yield
	p.mu.Unlock()
	if do == nil || ask.Slot >= slots.Count {
		return errors.New("this node hands over no slots")
	}
	return do(ask.Slot, ask.Move)
}

// Yield asks the owner of a slot that migrates to this node to hand it over, and
// waits until it has.
func (p *Plane) Yield(slot uint16, move uint64, patience time.Duration) error {
	v := p.View()
	m := v.State.Member(v.Map.Owner(slot))
	if m == nil {
		return fmt.Errorf("raftlog: slot %d has no owner", slot)
	}
	by := time.Now().Add(patience)
	asked := p.call(nameOf(m.ID, &m.Address), callYield, yielding{slot, move}, nil, patience)
	if errors.Is(asked, errNotSent) {
		return fmt.Errorf("raftlog: the owner of slot %d, node %v, is not reached: %w", slot, m, asked)
	}
	over := func(v *View) bool { return v.Map.At(slot).Move != move }
	if asked == nil && !p.Await(over, time.Until(by)) {
		return fmt.Errorf("%w: slot %d was asked for", ErrUnknown, slot)
	}
	switch v := p.View(); {
	case v.Map.At(slot).Via == move:
		return nil
	case over(v):
		return fmt.Errorf("raftlog: the migration of slot %d is over", slot)
	}
	return asked
}
