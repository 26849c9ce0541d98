package raftlog

import (
	"sync"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/store"
	"github.com/elares/ironcache/slots"
)

// Standing is how a node stands in its cluster, for those who watch: nothing is
// decided by it.
type Standing struct {
	Role  raft.RaftState
	Term  uint64
	Voted uint64 // the last term in which it gave its vote
	Kept  uint64 // index of the last entry that its disk had when it started
	Epoch uint64 // the highest of a slot's, in the node's map
	Until int64  // when its lease ends, by its Boot clock; 0: it has none
}

// watching tells of each change of a node's standing.
type watching struct {
	tell func(Standing) // nil: nobody watches

	mu    sync.Mutex // changes come from Raft's goroutines
	now   Standing
	known *slots.Map // that Epoch is of
}

// change makes a change, and tells of it if it is one.
func (w *watching) change(make func(*Standing)) {
	if w.tell == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.now
	make(&w.now)
	if w.now != before {
		w.tell(w.now)
	}
}

// recall takes what the disk of a node has that starts. What cannot be read is left
// out: the library does not start with it.
func (w *watching) recall(from *store.Store) {
	w.change(func(s *Standing) {
		s.Term, _ = from.Stable.GetUint64([]byte(termKey))
		s.Voted, _ = from.Stable.GetUint64([]byte(voteKey))
		s.Kept = from.Last()
	})
}

// seen takes what a view says.
func (w *watching) seen(v *View) {
	w.change(func(s *Standing) {
		s.Until = v.Until
		if v.Map == w.known {
			return
		}
		w.known = v.Map
		for _, slot := range v.Map.Runs() {
			s.Epoch = max(s.Epoch, slot.Epoch)
		}
	})
}

// observer hears of the library when a role or a leader changes. It takes nothing
// from the channel that observers are for, so that it needs no goroutine.
func (w *watching) observer() *raft.Observer {
	return raft.NewObserver(nil, false, func(o *raft.Observation) bool {
		w.change(func(s *Standing) { s.Role, s.Term = o.Raft.State(), o.Raft.CurrentTerm() })
		return false
	})
}
