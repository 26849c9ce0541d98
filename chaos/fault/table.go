package fault

import (
	"fmt"
	"math"

	"github.com/elares/ironcache/engine/config"
)

// An Event is a fault at a time.
type Event struct {
	At     int64  `json:"at"` // milliseconds since the world began
	Fault  string `json:"fault"`
	Node   int    `json:"node"`             // from 0
	For    int64  `json:"for,omitempty"`    // milliseconds that it lasts
	Amount int64  `json:"amount,omitempty"` // what that is, the fault says
}

// A Fault is a kind of thing that goes wrong.
type Fault struct {
	Name string
	Does string // one sentence
	Seen string // how its effect is noticed
	// Amount says what Event.Amount is, empty if the fault has none.
	Amount string
	// Least and Most bound Event.Amount, of a fault that has one; if both are 0, it
	// may be any number that is not negative.
	Least, Most int64
	// Spoils tells that a node may not come back from it.
	Spoils bool
	// Share is the percentage of those runs that would have it which do, of what
	// costs much or hides other things; 0: all.
	Share int
	// Moves tells that it moves slots. It does nothing where clocks jump.
	Moves bool
	// Voids tells that the promise of leases does not hold in a run that has it.
	Voids bool
	// Jumps tells that it sets a civil clock.
	Jumps bool
	// Spare tells that it is about a spare node, which joins the cluster and leaves it.
	Spare bool

	// Joined tells that it is about nodes of one cluster: a node alone has none of it.
	Joined bool
	// Once tells that a run has it at most once, and lets it come to its end.
	Once bool
	// Later tells that it needs a later version of the node.
	Later bool

	// Draw draws how long it lasts and how much of it there is.
	Draw func(d Dice, e *Event)
	// Begin lets it happen.
	Begin func(s *Stage, e Event) Going
}

// Going is a fault that has begun.
type Going struct {
	Seen func() bool // whether its effect was seen by now
	End  func()      // nil: it ends by itself
	Step func()      // if set, is called whenever something has happened, after the end as well
	Stop func()      // if set, is called when the run is over
}

// never is Seen of a fault that did not come about.
func never() bool { return false }

// Table lists the faults, sorted by name.
var Table = []Fault{
	churn,
	clockDrift,
	clockDriftBeyond,
	clockJump,
	crash,
	crashAtCall,
	crashAtStart,
	crashUnsynced,
	crashUnsyncedDir,
	diskAstray,
	diskFull,
	diskLost,
	diskRead,
	diskReadRunning,
	diskRot,
	diskSlow,
	diskSync,
	halfPartition,
	move,
	moveBack,
	moveBare,
	moveRange,
	otherVersion,
	pairPartition,
	partition,
	partitionBus,
	partitionClients,
	pause,
	pauseAtCall,
	pauseAtReply,
	reset,
	shortIO,
	slowCore,
	slowNetwork,
	slowReader,
	splitPartition,
	tornConnection,
	upgrade,
}

// Amounts are the least and the most that Event.Amount may be.
func (f *Fault) Amounts() (least, most int64) {
	if f.Amount != "" && f.Least == 0 && f.Most == 0 {
		return 0, math.MaxInt64
	}
	return f.Least, f.Most
}

// LongestRun bounds, in milliseconds, how long a run lasts, and whatever is part of it.
const LongestRun = 3_600_000

// Find gives the fault of a name, nil if there is none.
func Find(name string) *Fault {
	for i := range Table {
		if Table[i].Name == name {
			return &Table[i]
		}
	}
	return nil
}

// Names are those of all faults.
func Names() []string {
	var names []string
	for _, f := range Table {
		names = append(names, f.Name)
	}
	return names
}

// Unknown is the error of a name that a table does not have: with the one that was
// probably meant, or else with where all are.
func Unknown(what, name string, known []string) error {
	if near := config.Nearest(name, known); near != "" {
		return fmt.Errorf("there is no %s %q: did you mean %q?", what, name, near)
	}
	return fmt.Errorf("there is no %s %q: ironcache sim list lists them", what, name)
}

const million = 1_000_000 // nanoseconds of a millisecond
