package netio

import (
	"time"

	"github.com/elares/ironcache/raftlog"
	"github.com/elares/ironcache/raftlog/state"
	"github.com/elares/ironcache/slots"
)

// ControlPlane is what decides for a node of a cluster which slots are its own.
// Every method but View may wait; the loops call those by way of Go only.
type ControlPlane interface {
	// View is what is decided, as far as the node knows. Any thread may ask.
	View() *raftlog.View
	// Notify has a function called whenever there is a new View.
	Notify(changed func())
	// Go runs work on a thread of its own.
	Go(work func())
	// ID is the node's name, which it keeps.
	ID() state.ID
	// Propose has an entry decided and waits until it is applied here.
	Propose(e state.Entry, patience time.Duration) (state.Outcome, error)
	// Meet brings the node with that bus and this one into one cluster.
	Meet(bus string) error
	// Claim keeps slots for the node until it is in a cluster, Unclaim gives
	// some back, and Claims lists what is kept.
	Claim(ranges []slots.Range) error
	Unclaim(ranges []slots.Range) error
	Claims() []slots.Range
}
