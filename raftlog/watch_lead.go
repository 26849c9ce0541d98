package raftlog

import (
	"github.com/hashicorp/raft"
)

// Held is an entry of a node's log.
type Held struct {
	Index, Term uint64
	Data        []byte
}

// leads hears of the library when this node comes to lead, before it does anything
// as a leader. A log that cannot be read is not told of.
func (p *Plane) leads() *raft.Observer {
	return raft.NewObserver(nil, false, func(o *raft.Observation) bool {
		if role, is := o.Data.(raft.RaftState); is && role == raft.Leader {
			if covered, log, err := p.held(); err == nil {
				p.options.WatchLead(o.Raft.CurrentTerm(), covered, log)
			}
		}
		return false
	})
}

// held reads the log, and up to which index snapshots cover it.
func (p *Plane) held() (covered uint64, log []Held, err error) {
	snapshots, err := p.store.Snapshots.List()
	if err != nil {
		return 0, nil, err
	}
	for _, s := range snapshots {
		covered = max(covered, s.Index)
	}
	first, err := p.store.Log.FirstIndex()
	if err != nil || first == 0 {
		return covered, nil, err
	}
	last, err := p.store.Log.LastIndex()
	for index := first; index <= last && err == nil; index++ {
		var l raft.Log
		err = p.store.Log.GetLog(index, &l)
		log = append(log, Held{index, l.Term, l.Data})
	}
	return covered, log, err
}
