package wasm

import (
	"errors"
	"fmt"
)

// ErrStuck says that a node goes on and on in one step, and never waits.
var ErrStuck = errors.New("wasm: stuck in a step")

// mostCalls is how often a node may call doors, or read its time, within one step:
// some hundred times what it does to start.
const mostCalls = 2_000_000

// count counts a call. A node that has made too many ends here.
func (l *life) count() {
	if l.calls++; l.calls > mostCalls {
		w := l.world
		l.stuck = fmt.Errorf("%w: node %d (life %d) went on at %d and called doors %d times since, until %d",
			ErrStuck, l.node.id, l.node.lives, l.began, mostCalls, w.Now())
		panic(ended{})
	}
}
