package raftlog

import (
	"errors"
	"slices"

	"github.com/hashicorp/raft"
)

// The leader says before which entry new ones come, and the library of a follower looks
// into its log whether it has that one. It knows of its own accord where its log ends, but
// not where the log begins behind a snapshot: if the answer about the first entries there
// is lost, the leader asks for the last one that the snapshot holds, the follower knows it
// not, and is sent the same snapshot again and again. So the log of a node that does not
// lead gives an entry that stands in for that one: of its index and term, and nothing else,
// since a follower looks at nothing else.
//
// A leader has to know that it has no such entry, and sends the snapshot instead. Should one
// get hold of a stand-in all the same, as it ceases to lead, no follower gets to see it.

// standIn is the type of an entry that stands in for one that only a snapshot holds.
const standIn raft.LogType = 0xff

var errStandIn = errors.New("raftlog: the entry is in a snapshot only")

// sender is a transport that sends no entry which is not there, and hands heartbeats to the
// library in line with all else.
type sender struct{ *raft.NetworkTransport }

// SetHeartbeatHandler is to have heartbeats handled apart, at once. A heartbeat that came
// late would set term and role then while the library, on another goroutine, goes to a later
// term: the term falls, on disk as well, and the node votes a second time. So there is no
// such handler.
func (s sender) SetHeartbeatHandler(func(raft.RPC)) {}

// AppendEntries sends entries.
func (s sender) AppendEntries(id raft.ServerID, to raft.ServerAddress, ask *raft.AppendEntriesRequest, answer *raft.AppendEntriesResponse) error {
	if holdsStandIn(ask) {
		return errStandIn
	}
	return s.NetworkTransport.AppendEntries(id, to, ask, answer)
}

// AppendEntriesPipeline opens a pipeline for entries.
func (s sender) AppendEntriesPipeline(id raft.ServerID, to raft.ServerAddress) (raft.AppendPipeline, error) {
	p, err := s.NetworkTransport.AppendEntriesPipeline(id, to)
	if err != nil {
		return nil, err
	}
	return pipeline{p}, nil
}

type pipeline struct{ raft.AppendPipeline }

// AppendEntries sends entries.
func (p pipeline) AppendEntries(ask *raft.AppendEntriesRequest, answer *raft.AppendEntriesResponse) (raft.AppendFuture, error) {
	if holdsStandIn(ask) {
		return nil, errStandIn
	}
	return p.AppendPipeline.AppendEntries(ask, answer)
}

func holdsStandIn(ask *raft.AppendEntriesRequest) bool {
	return slices.ContainsFunc(ask.Entries, func(l *raft.Log) bool { return l.Type == standIn })
}
