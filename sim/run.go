package sim

import (
	"errors"
	"slices"
)

// Actor is what a world gives turns to: a loop. Step takes one turn and reports
// false when the actor has ended.
type Actor interface{ Step(block bool) bool }

// What ends a Run that is not done.
var (
	ErrIdle  = errors.New("sim: nothing is left to happen")
	ErrTurns = errors.New("sim: no end in sight")
)

// mostTurns bounds how many rounds a Run may take.
const mostTurns = 2_000_000

// Run gives the actors turns, in an order drawn for each round, and moves time
// on when none of them has anything to do, until done.
func (w *World) Run(done func() bool, actors ...Actor) error {
	actors = slices.Clone(actors)
	for range mostTurns {
		w.Settle()
		if done() {
			return nil
		}
		actors = w.round(actors)
		if !w.busy() && !w.skip() {
			return ErrIdle
		}
	}
	return ErrTurns
}

// RunFor gives turns for a span of nanoseconds.
func (w *World) RunFor(span int64, actors ...Actor) error {
	until := w.now + span
	w.At(until, func() {})
	return w.Run(func() bool { return w.now >= until }, actors...)
}

// round gives each actor a turn, and drops those that have ended.
func (w *World) round(actors []Actor) []Actor {
	w.turns++
	for i := range actors {
		j := i + int(w.draw(drawTurn, uint64(i), w.turns)%uint64(len(actors)-i))
		actors[i], actors[j] = actors[j], actors[i]
	}
	left := actors[:0]
	for _, a := range actors {
		if a.Step(true) {
			left = append(left, a)
		}
	}
	return left
}

// busy tells whether a loop has something to do now.
func (w *World) busy() bool {
	for _, m := range w.machines {
		for _, p := range m.network.pollers {
			if p.due() {
				return true
			}
		}
	}
	return false
}

// skip moves time to the next thing that happens.
func (w *World) skip() bool {
	time, any := w.Next()
	if any {
		w.now = time
	}
	return any
}
