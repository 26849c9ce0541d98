package netio

import "sync/atomic"

// ringSize bounds the messages under way from one loop to another. What does
// not fit waits in the sender's overflow.
const ringSize = 1024

// ring carries messages from one loop to one other, in order. One loop pushes,
// one loop pops; nothing is locked.
type ring struct {
	tail atomic.Uint64 // messages pushed so far; written by the sender alone
	_    [56]byte
	head atomic.Uint64 // messages popped so far; written by the receiver alone
	_    [56]byte

	slots [ringSize]*message
}

// push adds a message and tells whether there was room.
func (r *ring) push(m *message) bool {
	tail := r.tail.Load()
	if tail-r.head.Load() == ringSize {
		return false
	}
	r.slots[tail%ringSize] = m
	r.tail.Store(tail + 1)
	return true
}

// pop takes the oldest message, or nil.
func (r *ring) pop() *message {
	head := r.head.Load()
	if head == r.tail.Load() {
		return nil
	}
	m := r.slots[head%ringSize]
	r.slots[head%ringSize] = nil
	r.head.Store(head + 1)
	return m
}

// peek gives the next messages that pop will give, as many as fit, and tells how
// many. The receiver calls it.
func (r *ring) peek(list []*message) int {
	head := r.head.Load()
	n := min(int(r.tail.Load()-head), len(list))
	for i := range n {
		list[i] = r.slots[(head+uint64(i))%ringSize]
	}
	return n
}

// list gives what was pushed and not popped. Both ends stand still.
func (r *ring) list() []*message {
	var all []*message
	for at := r.head.Load(); at != r.tail.Load(); at++ {
		all = append(all, r.slots[at%ringSize])
	}
	return all
}

// empty may be asked by the receiver, and by the sender for a hint.
func (r *ring) empty() bool { return r.head.Load() == r.tail.Load() }
