package fault

import "strings"

// A slot of a key in use goes to another node. All of these end well in a cluster
// that is well; they are faults as what is under way when something else happens is
// where things go wrong.
var (
	move = Fault{
		Name:   "move",
		Does:   "A slot goes to another node by CLUSTER SETSLOT, with its keys.",
		Seen:   movesSeen,
		Amount: whichKey,
		Moves:  true,
		Draw:   drawMove,
		Begin:  func(s *Stage, e Event) Going { return begin(s, e, 1, (*mover).withKeys) },
	}
	moveBack = Fault{
		Name:   "move-back",
		Does:   "A slot begins to go to another node by CLUSTER SETSLOT, and stays by CLUSTER SETSLOT STABLE.",
		Seen:   "both nodes say that it does not move any more",
		Amount: whichKey,
		Moves:  true,
		Draw:   drawMove,
		Begin:  func(s *Stage, e Event) Going { return begin(s, e, 1, (*mover).back) },
	}
	moveBare = Fault{
		Name:   "move-bare",
		Does:   "A slot goes to another node by CLUSTER SETSLOT, and what its keys held is left behind.",
		Seen:   movesSeen,
		Amount: whichKey,
		Moves:  true,
		Draw:   drawMove,
		Begin:  func(s *Stage, e Event) Going { return begin(s, e, 1, (*mover).bare) },
	}
	moveRange = Fault{
		Name:   "move-range",
		Does:   "A few slots are given up by CLUSTER DELSLOTSRANGE, and another node gets them by CLUSTER ADDSLOTSRANGE.",
		Seen:   "the other node owns them",
		Amount: whichKey,
		Moves:  true,
		Draw:   drawMove,
		Begin:  func(s *Stage, e Event) Going { return begin(s, e, 3, (*mover).byRange) },
	}
)

const movesSeen = "the other node owns it"

const whichKey = "which of the keys in use"

func drawMove(d Dice, e *Event) { e.Amount = d.Between(0, 15) }

// begin lets somebody move some neighbouring slots in one of these ways.
func begin(s *Stage, e Event, some int, way func(*mover) bool) Going {
	m := &mover{event: e, dice: s.dice(e)}
	m.script = newScript(s, func(*script) {
		if m.choose(some) {
			m.done = way(m)
		}
		s.free(m)
	})
	return Going{
		Seen: func() bool { return m.done },
		Step: m.script.step,
		Stop: m.script.stop,
	}
}

// Moves is what those who move slots need to know, and what they leave behind.
type Moves struct {
	Addresses []string        // of those nodes that may own slots
	Keys      func() []string // that clients use now
	Fixed     map[uint16]bool // slots that stay where they are
	Moved     map[uint16]bool // slots that somebody began to move
	Losses    []Loss
	Copies    []Copy
	Odd       []string // replies that nobody should get

	busy    map[uint16]bool // somebody moves them
	tainted map[string]bool // keys of which it is not known what came of their copy
}

// A Loss is a time in which keys of slots may have been lost.
type Loss struct {
	First, Last uint16
	From, To    int64 // true time; To is below 0 where it never ends
	Why         string
}

// A Copy is a time in which a value that a key had before may have come back.
type Copy struct {
	Key      string
	From, To int64
}

// isFamily tells whether a key of a history stands for several.
func isFamily(key string) bool { return strings.HasPrefix(key, "{") }
