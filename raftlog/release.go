package raftlog

import (
	"errors"
	"time"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// Release gives up slots that this node has stopped to serve, and returns when
// it is known whether it has: the node may serve them again if it has not. Where
// the answer was lost, that is when a later request of this node was applied,
// which may take until the cluster has a leader again.
func (p *Plane) Release(spans []state.Span, patience time.Duration) (state.Outcome, error) {
	self, by := p.View().Self, p.stamp()
	outcome, err := p.Propose(&state.Release{Node: self, By: by, Spans: spans}, patience)
	if !errors.Is(err, ErrUnknown) {
		return outcome, err
	}
	known := p.until(func(v *View) (known bool) {
		outcome, known = released(v, by, spans)
		return known
	}, nil)
	if !known {
		return state.Outcome{}, ErrClosed
	}
	return outcome, nil
}

// released tells what became of a Release, if a View shows it.
func released(v *View, by state.Stamp, spans []state.Span) (o state.Outcome, known bool) {
	m := v.Member()
	if m == nil {
		return state.Outcome{Reason: state.UnknownNode, Sentence: "this node is no member any more"}, true
	}
	if m.Stamp == by {
		return state.Outcome{}, true // a Renew of that number was never sent
	}
	if m.Stamp.Incarnation == by.Incarnation && m.Stamp.Sequence < by.Sequence {
		return state.Outcome{}, false
	}
	if s := v.Map.At(spans[0].First); s.Epoch == spans[0].Epoch && s.Standing == slots.Served {
		return state.Outcome{Reason: state.StaleSequence, Sentence: "the node went on with its lease before the slots were given up"}, true
	}
	return state.Outcome{}, true
}
