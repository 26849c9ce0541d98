package raftlog

import (
	"testing"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// script applies entries to an empty state, from index 1 on.
func script(t *testing.T, entries ...state.Entry) *View {
	t.Helper()
	v := &View{Self: 1}
	for i, e := range entries {
		data, err := state.Encode(e)
		if err == nil {
			_, err = v.State.Apply(uint64(i+1), data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	v.Map = v.State.Map()
	return v
}

// What became of a Release whose answer was lost shows in the state, and not
// before a later request of the node could only follow it.
func TestReleaseIsSettledByTheState(t *testing.T) {
	self := state.Address{Host: "10.0.0.1", Port: 1, BusPort: 2, ReplicationPort: 3}
	all := slots.Range{First: 0, Last: 9}
	form := &state.Form{Founders: []state.Founder{{
		ID: state.ID{1}, Address: self, Incarnation: 1, Speaks: 1, Suffrage: state.Voter, Owns: []slots.Range{all},
	}}}
	spans := []state.Span{{Range: all, Epoch: 1}}
	by := state.Stamp{Incarnation: 1, Sequence: 5}
	renew := func(sequence uint64) state.Entry {
		return &state.Renew{Requests: []state.Request{{Node: 1, By: state.Stamp{Incarnation: 1, Sequence: sequence}}}}
	}
	release := &state.Release{Node: 1, By: by, Spans: spans}
	for _, test := range []struct {
		name    string
		entries []state.Entry
		known   bool
		reason  state.Reason
	}{
		{"nothing came", []state.Entry{form}, false, state.Accepted},
		{"only an earlier renewal came", []state.Entry{form, renew(4)}, false, state.Accepted},
		{"it came", []state.Entry{form, renew(4), release}, true, state.Accepted},
		{"it came, then a renewal", []state.Entry{form, release, renew(6)}, true, state.Accepted},
		{"a renewal came first", []state.Entry{form, renew(6), release}, true, state.StaleSequence},
		{"a renewal came, and it may come later", []state.Entry{form, renew(6)}, true, state.StaleSequence},
	} {
		outcome, known := released(script(t, test.entries...), by, spans)
		if known != test.known || outcome.Reason != test.reason {
			t.Errorf("%s: %v, known: %v", test.name, outcome, known)
		}
	}
}
