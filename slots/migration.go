package slots

import (
	"fmt"

	"github.com/elares/ironcache/sim/invariant"
)

// Phase is how far the source of a migration has come with one slot.
type Phase uint8

// Phases of a migration, in the order of the picture at Migration.
const (
	Copying   Phase = iota // walk and tail go to the destination; the source serves
	Draining               // the source has stopped serving the slot; the rest of the tail goes out
	Flipping               // Flip is proposed; its outcome is not known
	Flipped                // Flip was applied: the destination owns the slot
	Cancelled              // the log has an end of the migration without a flip
	phases
)

// String names the phase.
func (p Phase) String() string {
	return [...]string{"copying", "draining", "flipping", "flipped", "cancelled"}[p]
}

// Serving tells whether the phase lets the source serve the slot; map and lease
// must do so too.
func (p Phase) Serving() bool { return p == Copying || p == Cancelled }

// legal lists the moves of a migration.
var legal = [phases][]Phase{
	Copying:   {Draining, Cancelled},
	Draining:  {Copying, Flipping, Cancelled},
	Flipping:  {Flipped, Cancelled},
	Flipped:   {},
	Cancelled: {},
}

// Migration is one slot's way to its destination, as the source sees it.
//
//	         caught up           destination and its
//	         nearly              in-sync set have all
//	Copying ----------> Draining --------------------> Flipping
//	 |   ^                |   |                         |   |
//	 |   +----------------+   |                         |   | the log says
//	 |    clients held too    |                         |   | flipped
//	 |    long                |                         |   v
//	 |                        |            the log says |  Flipped
//	 +------------------------+-------------------------+
//	                          | cancelled
//	                          v
//	                      Cancelled
//
// There is no way from Flipping back to Draining or Copying: the entry may yet
// be committed. Only the log ends that phase. A source whose Flip has an
// unknown outcome commits a CancelMigration of the same migration; whichever of
// the two stands first in the log is what happened.
type Migration struct {
	Slot  uint16
	To    Node
	Epoch uint64 // of the slot when the migration began
	Move  uint64 // Raft index of the entry that began it
	phase Phase
}

// Phase tells how far the migration has come.
func (m *Migration) Phase() Phase { return m.phase }

// Become makes a legal move. An illegal one is a fault of the caller's
// reasoning and stops the process.
func (m *Migration) Become(next Phase) {
	invariant.Check(m.May(next), fmt.Sprintf("a migration goes from %v to %v by a legal move", m.phase, next))
	m.phase = next
}

// May tells whether a move is legal.
func (m *Migration) May(next Phase) bool {
	for _, to := range legal[m.phase] {
		if to == next {
			return true
		}
	}
	return false
}
