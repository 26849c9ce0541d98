// Package mark lists what a sweep of many seeds must have come to: states of a
// cluster that are seldom reached, and in which it is most likely to be wrong.
//
// The promise that callers rely on: a mark is counted only when it was reached,
// as a node told or as the evidence of a run shows.
package mark

import "github.com/elares/ironcache/chaos/judge"

// A Mark is one such state.
type Mark struct {
	Name string
	Says string // one sentence
	// shows counts it in what a run left behind. nil: nodes tell of it, through
	// invariant.Reached.
	shows func(*judge.Evidence) int
}

// Table lists the marks, sorted by name.
var Table = []Mark{
	{"ASK followed", "A client went where ASK pointed.", func(e *judge.Evidence) int { return e.Sent }},
	{"MOVED followed", "A client went where MOVED pointed.", func(e *judge.Evidence) int { return e.Moved }},
	{"election lost", "A node wanted to lead, and another one came to.", defeats},
	{"entry known by a snapshot alone", "A follower was asked for the entry that its snapshot ends with.", nil},
	{"fence refused a reply", "A reply was dropped since the lease had ended.", refusals},
	{"lead taken over while a lease is held", "A node came to lead while another answered under its lease.", takeovers},
	{"learner promoted", "A node that had caught up got a vote.", nil},
	{"lease waited out", "A leader waited until a lease was over, and gave slots back.", nil},
	{"log compacted", "Entries that a snapshot covers were dropped.", nil},
	{"log dropped behind an installed snapshot", "A node that was far behind got a snapshot from the leader.", nil},
	{"log truncated", "A node dropped entries that never were committed.", nil},
	{"node taken for another", "A node was asked for by the id of one that was at its address before.", nil},
	{"outcome of an entry unknown", "A node did not learn what became of what it had proposed.", nil},
	{"outcome of an operation unknown", "A client did not learn what became of what it had asked for.", losses},
	{"slot changed hands", "Two lives of nodes answered for one slot, one after the other.", handovers},
	{"snapshot restored", "A node read its state from a snapshot.", nil},
	{"snapshot taken", "A node wrote its state down.", nil},
	{"torn end of the log repaired", "A node cut off what a crash had left of its last write.", nil},
}

// Count counts the marks of a run: told is what nodes did.
func Count(e *judge.Evidence, told map[string]int) map[string]int {
	counts := map[string]int{}
	for _, m := range Table {
		n := told[m.Name]
		if m.shows != nil {
			n = m.shows(e)
		}
		if n > 0 {
			counts[m.Name] = n
		}
	}
	return counts
}
