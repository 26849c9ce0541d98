package raftlog

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// newFamily starts nodes of one cluster, which the first has formed and which all
// have a vote in.
func newFamily(t *testing.T, nodes int) (family []*Plane) {
	t.Helper()
	for i := range nodes {
		o := freeOptions(t)
		o.Address.Port = o.Address.BusPort
		p := openFree(t, o)
		if family = append(family, p); i > 0 {
			if err := p.Meet(family[0].options.Bus()); err != nil {
				t.Fatal(err)
			}
		}
	}
	eventually(t, "all vote", func() bool {
		for _, p := range family {
			if p.Voters() != nodes || p.View().Until == 0 {
				return false
			}
		}
		return true
	})
	return family
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for by := time.Now().Add(30 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(by) {
			t.Fatalf("never: %s", what)
		}
	}
}

// leaderOf waits until one of some nodes leads, and gives it and the others.
func leaderOf(t *testing.T, family []*Plane) (leader *Plane, others []*Plane) {
	t.Helper()
	eventually(t, "one leads, and all know", func() bool {
		leader, others = nil, nil
		known := 0
		for _, p := range family {
			if p.raftIsLeader() {
				leader = p
			} else {
				others = append(others, p)
			}
			if p.Leader() == family[0].Leader() {
				known++
			}
		}
		return leader != nil && len(others) == len(family)-1 && known == len(family)
	})
	return leader, others
}

// forgets has a node forget another and come to know that it is out of the Raft group.
func forgets(t *testing.T, p *Plane, n slots.Node, id state.ID) {
	t.Helper()
	if outcome, err := p.Forget(n, id, 20*time.Second); err != nil || outcome.Refused() {
		t.Errorf("node %v forgets %v: %v, %v", p.id, id, outcome, err)
	}
}

// Whoever is asked, and whether it is the leader that is to be forgotten or the node
// itself: it is out of the Raft group when the answer comes. To say it again is no error.
func TestForgottenIsOutOfTheGroup(t *testing.T) {
	for _, test := range []string{"a follower by the leader", "a follower by a follower", "the leader by a follower", "the leader by itself", "a follower by itself"} {
		t.Run(test, func(t *testing.T) {
			leader, others := leaderOf(t, newFamily(t, 3))
			asked, gone := others[0], others[1]
			switch test {
			case "a follower by the leader":
				asked = leader
			case "the leader by a follower":
				gone = leader
			case "the leader by itself":
				asked, gone = leader, leader
			case "a follower by itself":
				asked = gone
			}
			n := gone.View().Self
			forgets(t, asked, n, gone.id)
			heir, _ := leaderOf(t, without(append(others, leader), gone))
			if heir.Seated(gone.id) || heir.Voters() != 2 {
				t.Errorf("it is in the group: %v, of %d voters", heir.Seated(gone.id), heir.Voters())
			}
			forgets(t, heir, n, gone.id)
			if err := heir.Unseat(gone.id, time.Second); err != nil {
				t.Error(err)
			}
		})
	}
}

func without(family []*Plane, gone *Plane) (left []*Plane) {
	for _, p := range family {
		if p != gone {
			left = append(left, p)
		}
	}
	return left
}

// A leader that ends its term before it answers has perhaps decided, as where it was
// told to leave itself: the same is asked of the next, which knows.
func TestForgetSettlesWhatIsUnknown(t *testing.T) {
	propose := answers[callPropose]
	var lost atomic.Bool
	answers[callPropose] = func(p *Plane, body []byte) (any, error) {
		var ask proposal
		if err := json.Unmarshal(body, &ask); err != nil {
			return nil, err
		}
		answer, err := propose(p, body)
		if entry, _ := state.Decode(ask.Entry); err == nil && state.KindOf(entry) == state.KindForget && !lost.Swap(true) {
			return verdict{Err: raft.ErrLeadershipLost.Error()}, nil
		}
		return answer, err
	}
	t.Cleanup(func() { answers[callPropose] = propose }) // after the nodes have ended
	_, others := leaderOf(t, newFamily(t, 3))
	forgets(t, others[0], others[1].View().Self, others[1].id)
	if !lost.Load() {
		t.Error("nothing was unknown")
	}
}

// Who cannot come to know that a forgotten node is out of the group says so, and what
// to do.
func TestForgetTellsThatTheVoteMayCount(t *testing.T) {
	family := newFamily(t, 3)
	for _, p := range family[1:] {
		if err := p.raft.Shutdown().Error(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "nobody leads", func() bool { return !family[0].raftIsLeader() })
	err := family[0].Unseat(family[1].id, 100*time.Millisecond)
	if !errors.Is(err, ErrSeated) || !strings.Contains(err.Error(), "send CLUSTER FORGET of it to a member again") {
		t.Error(err)
	}
}

// A leader that is forgotten gives a vote to the one that is to take over, if none has
// one but itself.
func TestForgottenLeaderSeatsItsHeir(t *testing.T) {
	renew := answers[callRenew]
	var gate sync.RWMutex
	deaf := false // the leader does not hear how far the other is
	answers[callRenew] = func(p *Plane, body []byte) (any, error) {
		gate.RLock()
		defer gate.RUnlock()
		if deaf {
			return nil, errNotLeader
		}
		return renew(p, body)
	}
	t.Cleanup(func() { answers[callRenew] = renew }) // after the nodes have ended
	turn := func(to bool) {
		gate.Lock()
		defer gate.Unlock()
		deaf = to
	}
	leader, others := leaderOf(t, newFamily(t, 2))
	heir, l := others[0], leader.leading
	turn(true)
	eventually(t, "the other has no vote", func() bool {
		l.mu.Lock()
		delete(l.applied, heir.View().Self)
		l.mu.Unlock()
		if leader.Voters() > 1 {
			_ = leader.raft.DemoteVoter(serverOf(heir.id), 0, time.Second).Error()
		}
		return leader.Voters() == 1
	})
	done := make(chan error, 1)
	go func() {
		_, err := leader.Forget(leader.View().Self, leader.id, 30*time.Second)
		done <- err
	}()
	eventually(t, "it has forgotten itself, and goes on for a while", func() bool {
		return leader.View().Self == slots.None && leader.raft.AppliedIndex() > leader.View().Index+near
	})
	turn(false)
	if err := <-done; err != nil || !heir.raftIsLeader() || heir.Voters() != 1 {
		t.Errorf("%v; the other leads: %v, of %d voters", err, heir.raftIsLeader(), heir.Voters())
	}
}
