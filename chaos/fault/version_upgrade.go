package fault

import (
	"fmt"
	"strings"

	"github.com/elares/ironcache/sim/wasm"
)

var upgrade = Fault{
	Name:   "upgrade",
	Does:   "All nodes, one after another, go on as a later version of the program; then one goes back, and refuses to run, and forward again.",
	Seen:   "the one that went back ended by itself and said why",
	Later:  true,
	Share:  25,
	Joined: true,
	Once:   true,
	Draw:   func(d Dice, e *Event) { e.For = d.Between(9000, 14_000) },
	Begin: func(s *Stage, e Event) Going {
		if s.later() == nil {
			return Going{Seen: never}
		}
		u := &rolling{stage: s, event: e, refused: s.Nodes[e.Node].Refused}
		for i := range len(s.Nodes) + len(back) {
			s.Cluster.World.At(u.due(i), func() {})
		}
		return Going{
			Seen: u.seen,
			End:  u.all,
			Step: u.step,
		}
	},
}

// rolling is an upgrade that is under way.
type rolling struct {
	stage   *Stage
	event   Event
	done    int // turns
	refused int // lives of the node that goes back, before
}

// back is when the node that goes back does, and forward again, in turn, in percent
// of the time: the others have had time to tell that they understand more. It does
// so twice, if the cluster had decided nothing by then that it does not understand.
var back = [...]int64{50, 65, 85}

// due is when the next turn is: of all nodes within a quarter of the time.
func (u *rolling) due(turn int) int64 {
	at, span, nodes := u.event.At*million, u.event.For*million, len(u.stage.Nodes)
	if turn >= nodes {
		return at + span/100*back[turn-nodes]
	}
	return at + span/4*int64(turn)/int64(nodes)
}

func (u *rolling) step() {
	s := u.stage
	nodes := len(s.Nodes)
	for u.done < nodes+len(back) && s.Cluster.World.Now() >= u.due(u.done) {
		switch again := u.done - nodes; {
		case again < 0:
			s.turn(u.done, true)
		case !u.seen():
			s.turn(u.event.Node, again%2 == 1)
		}
		u.done++
	}
}

// seen tells whether the one that went back has refused to run.
func (u *rolling) seen() bool { return u.stage.Nodes[u.event.Node].Refused > u.refused }

// all has every node go on as the later one.
func (u *rolling) all() {
	for i := range u.stage.Nodes {
		u.stage.turn(i, true)
	}
	u.done = len(u.stage.Nodes) + len(back)
}

// turn has a node be the later version from its next life on, or that of before,
// which begins at once.
func (s *Stage) turn(node int, later bool) {
	n := &s.Nodes[node]
	if n.upgraded == later {
		return
	}
	n.upgraded = later
	s.Cluster.Nodes[node].Crash()
}

// later gives the later version of the program, nil if there is none: the run
// cannot go on.
func (s *Stage) later() *wasm.Module {
	m, err := s.module.Later()
	if err != nil {
		s.Failed = fmt.Errorf("fault: there is no later version of the node: %w", err)
	}
	return m
}

// Module is what a node is to run in its next life.
func (s *Stage) Module(node int) *wasm.Module {
	if n := &s.Nodes[node]; n.trial || n.upgraded {
		if m := s.later(); m != nil {
			return m
		}
	}
	return s.module
}

// Refuses tells whether a node that has ended did so since its program is older than
// what the cluster has decided. There is no way back from that: all nodes go on as the
// later version. It takes no more for it than that each has once told that it understands
// the later one, and of some nothing else has been heard since.
func (s *Stage) Refuses(node int, words string) bool {
	n := &s.Nodes[node]
	if n.trial || n.upgraded || !strings.Contains(words, refusal) {
		return false
	}
	n.Refused++
	for i := range s.Nodes {
		s.turn(i, true)
	}
	return true
}

// refusal is what a program says that cannot follow the log any further, see
// state.Apply and state.Restore.
const refusal = "and this program understands"
