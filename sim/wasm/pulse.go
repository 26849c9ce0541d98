package wasm

import (
	"fmt"
	"sync/atomic"
)

// Pulse says which node of a run is in a step, and since when. It holds no pointer,
// so it may lie in memory that another process sees: a process whose guest computes
// for ever cannot tell of it itself, as nothing preempts a guest.
type Pulse struct {
	turns          atomic.Int64 // steps begun and steps ended: odd while a node is in one
	node, life, at atomic.Int64 // of the step begun last
}

// Place is where a run is.
type Place struct {
	Turns      int64 // steps begun and steps ended
	Node, Life int   // that began a step last
	At         int64 // true time at which it did
}

// String is a place as a judge would name it.
func (p Place) String() string {
	return fmt.Sprintf("node %d (life %d) goes on since %d", p.Node, p.Life, p.At)
}

// Within tells whether a node is in a step.
func (p Place) Within() bool { return p.Turns&1 == 1 }

// Place is where the run is. It is torn if the run goes on meanwhile, and right if
// Turns stays as it is.
func (p *Pulse) Place() Place {
	return Place{p.turns.Load(), int(p.node.Load()), int(p.life.Load()), p.at.Load()}
}

// Reset says that a run begins.
func (p *Pulse) Reset() { p.turns.Store(0) }

// Enter says that a node begins a step at a true time. A nil pulse says nothing.
func (p *Pulse) Enter(node, life int, at int64) {
	if p == nil {
		return
	}
	p.node.Store(int64(node))
	p.life.Store(int64(life))
	p.at.Store(at)
	p.turns.Add(1)
}

// Leave says that the step has ended.
func (p *Pulse) Leave() {
	if p != nil {
		p.turns.Add(1)
	}
}
